#include "gpu/reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gpu/catalogue.h"
#include "gpu/checked_point.h"
#include "gpu/input_cache.h"
#include "gpu/references.h"

namespace pnsim::gpu {
namespace {

using testing::ElementsAre;

Words sorted(const Words& keys) { return sort_reference().result({}, keys).words; }

TEST(Partition, KeepsTheOrderOnBothSides) {
  EXPECT_THAT(partition_by_bit({5, 2, 7, 4, 1, 6}, 0), ElementsAre(2u, 4u, 6u, 5u, 7u, 1u));
  EXPECT_THAT(partition_by_bit({5, 2, 7, 4, 1, 6}, 1), ElementsAre(5u, 4u, 1u, 2u, 7u, 6u));
}

TEST(Partition, ByEveryBitSorts) {
  for (Distribution distribution : all_distributions()) {
    auto keys = make_keys({distribution, 3}, 1001);
    const auto expected = sorted(keys);
    EXPECT_TRUE(std::is_sorted(expected.begin(), expected.end()));
    for (unsigned bit = 0; bit < 32; ++bit) keys = partition_by_bit(keys, bit);
    EXPECT_EQ(keys, expected) << distribution_name(distribution);
  }
}

TEST(Differences, NoneForEqualKeys) {
  EXPECT_FALSE(difference({1, 2, 3}, {{1, 2, 3}, {}}).has_value());
  EXPECT_FALSE(difference({}, {}).has_value());
}

TEST(Differences, CountsAllAndNamesTheFirst) {
  const auto wrong = difference({1, 9, 3, 8}, {{1, 2, 3, 4}, {}});
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->wrong_elements, 2u);
  EXPECT_EQ(wrong->first, "position 1: found 9, expected 2");
}

TEST(Differences, OutputsOfOtherSizesDiffer) {
  const auto wrong = difference({1, 2}, {{1, 2, 3}, {}});
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->wrong_elements, 3u);
}

TEST(Differences, NumbersBeyondTheToleranceDiffer) {
  const Expected expected{words_of({1.0f, 2.0f, 3.0f}), {0.1f, 0.0f, 0.5f}};
  EXPECT_FALSE(difference(words_of({1.05f, 2.0f, 2.5f}), expected).has_value());
  const auto wrong = difference(words_of({1.2f, 2.5f, 3.0f}), expected);
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->wrong_elements, 2u);
  EXPECT_EQ(wrong->first, "position 0: found 1.20000005, expected 1");
}

TEST(Differences, ANumberThatIsNoneIsWrong) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(difference(words_of({nan}), {words_of({1.0f}), {1e30f}}).has_value());
}

TEST(InputCache, GivesEachPointItsOwnInput) {
  const auto point = [](std::int64_t n, std::uint64_t seed) {
    return default_point("radix_shared", {{"n", n}}, {Distribution::kUniform, seed});
  };
  InputCache cache;
  const PreparedInput first = cache.get(point(100, 1));
  EXPECT_EQ(first.input, make_keys({Distribution::kUniform, 1}, 100));
  EXPECT_EQ(first.expected.words, sorted(first.input));
  EXPECT_EQ(cache.get(point(100, 1)).input, first.input);
  EXPECT_NE(cache.get(point(100, 2)).input, first.input);
  EXPECT_EQ(cache.get(point(50, 2)).input.size(), 50u);
  EXPECT_EQ(cache.get(point(0, 2)).input.size(), 0u);
}

TEST(InputCache, IsSharedByProgramsThatComputeTheSame) {
  const auto key = [](const char* program, std::int64_t n) {
    return reference_key(default_point(program, {{"n", n}}));
  };
  EXPECT_EQ(key("radix_shared", 100), key("cub_radix", 100));
  EXPECT_EQ(key("matmul_plain", 100), key("matmul_tiled", 100));
  EXPECT_NE(key("matmul_plain", 100), key("matmul_plain", 101));
  EXPECT_NE(key("matmul_plain", 100), key("radix_shared", 100));
}

// For every program of the catalogue, the reference runs at every odd size and accepts its own
// result.
TEST(References, AcceptTheirOwnResultAtEveryOddSize) {
  for (const Program& program : catalogue()) {
    for (const auto& sizes : program.odd_sizes) {
      InputCache cache;
      const Expected& expected = cache.get(default_point(program.name, sizes)).expected;
      EXPECT_FALSE(difference(expected.words, expected).has_value()) << program.name;
      EXPECT_TRUE(expected.tolerance.empty() || expected.tolerance.size() == expected.words.size());
    }
  }
}

// The content of memory that a kernel does not write must never be accepted.
TEST(References, RefusePoisonedMemory) {
  for (const Program& program : catalogue()) {
    InputCache cache;
    const Expected& expected =
        cache.get(default_point(program.name, program.odd_sizes[3])).expected;
    const auto wrong = difference(Words(expected.words.size(), 0xCDCDCDCDu), expected);
    ASSERT_TRUE(wrong.has_value()) << program.name;
    EXPECT_EQ(wrong->wrong_elements, expected.numbers()) << program.name;
  }
}

}  // namespace
}  // namespace pnsim::gpu
