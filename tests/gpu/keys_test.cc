#include "gpu/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <set>

#include "simulator/base/error.h"

namespace pnsim::gpu {
namespace {

using testing::Each;
using testing::ElementsAre;

std::vector<std::uint32_t> keys_of(Distribution distribution, std::uint32_t n,
                                   std::uint64_t seed = 1) {
  return make_keys({distribution, seed}, n);
}

ExitCode code_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  return ExitCode::kOk;
}

// The high halves of the first published outputs of SplitMix64 for this seed.
TEST(Keys, UniformFollowsSplitMix64) {
  EXPECT_THAT(keys_of(Distribution::kUniform, 3, 1234567),
              ElementsAre(static_cast<std::uint32_t>(6457827717110365317u >> 32),
                          static_cast<std::uint32_t>(3203168211198807973u >> 32),
                          static_cast<std::uint32_t>(9817491932198370423u >> 32)));
}

TEST(Keys, UniformDependsOnTheSeedAndNotOnN) {
  const auto few = keys_of(Distribution::kUniform, 100);
  auto many = keys_of(Distribution::kUniform, 1000);
  many.resize(100);
  EXPECT_EQ(few, many);
  EXPECT_NE(few, keys_of(Distribution::kUniform, 100, 2));
}

TEST(Keys, UniformSetsEveryBitHalfOfTheTime) {
  const auto keys = keys_of(Distribution::kUniform, 10000);
  for (unsigned bit = 0; bit < 32; ++bit) {
    const auto ones = std::count_if(keys.begin(), keys.end(),
                                    [bit](std::uint32_t key) { return (key >> bit) & 1u; });
    EXPECT_NEAR(static_cast<double>(ones), 5000, 250) << "bit " << bit;  // five sigma
  }
}

TEST(Keys, SortedAndReversedSpanAllKeys) {
  const auto sorted = keys_of(Distribution::kSorted, 1000);
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
  EXPECT_EQ(sorted.front(), 0u);
  EXPECT_EQ(sorted.back(), 0xFFFFFFFFu);
  auto reversed = keys_of(Distribution::kReversed, 1000);
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_EQ(reversed, sorted);
}

TEST(Keys, ConstantHasOneKeyWithBothKindsOfBits) {
  const auto keys = keys_of(Distribution::kConstant, 100);
  EXPECT_THAT(keys, Each(keys.front()));
  EXPECT_NE(keys.front(), 0u);
  EXPECT_NE(keys.front(), 0xFFFFFFFFu);
}

TEST(Keys, AdversarialHasTiesAndExtremes) {
  const auto keys = keys_of(Distribution::kAdversarial, 64);
  const std::set<std::uint32_t> values(keys.begin(), keys.end());
  EXPECT_TRUE(values.contains(0u));
  EXPECT_TRUE(values.contains(0xFFFFFFFFu));
  EXPECT_TRUE(std::any_of(values.begin(), values.end(), [](std::uint32_t key) {
    return key > 0x7FFFFF00u && key < 0x80000000u;
  }));
  EXPECT_LT(values.size(), keys.size() / 2);
}

TEST(Keys, EveryDistributionWorksForTinyInputs) {
  for (Distribution distribution : all_distributions()) {
    for (std::uint32_t n : {0u, 1u, 2u}) EXPECT_EQ(keys_of(distribution, n).size(), n);
  }
}

TEST(Distributions, NamesAreReadBack) {
  for (Distribution distribution : all_distributions()) {
    EXPECT_EQ(parse_distribution(distribution_name(distribution)), distribution);
  }
  EXPECT_EQ(code_of([] { parse_distribution("unifrom"); }), ExitCode::kUsage);
}

TEST(Numbers, SpanMinusOneToOneExactly) {
  EXPECT_EQ(number_of_key(0), -1.0f);
  EXPECT_EQ(number_of_key(0x80000000u), 0.0f);
  EXPECT_EQ(number_of_key(0xFFFFFFFFu), 1.0f - 0x1p-23f);
  EXPECT_EQ(number_of_key(0x80000100u), 0x1p-23f);
}

TEST(Numbers, AreThoseOfTheKeys) {
  const Input input{Distribution::kUniform, 3};
  const auto keys = make_keys(input, 50);
  const auto words = make_numbers(input, 50);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(std::bit_cast<float>(words[i]), number_of_key(keys[i]));
  }
}

}  // namespace
}  // namespace pnsim::gpu
