#include "gpu/reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pnsim::gpu {
namespace {

using testing::ElementsAre;

TEST(Partition, KeepsTheOrderOnBothSides) {
  EXPECT_THAT(partition_by_bit({5, 2, 7, 4, 1, 6}, 0), ElementsAre(2u, 4u, 6u, 5u, 7u, 1u));
  EXPECT_THAT(partition_by_bit({5, 2, 7, 4, 1, 6}, 1), ElementsAre(5u, 4u, 1u, 2u, 7u, 6u));
}

TEST(Partition, ByEveryBitSorts) {
  for (Distribution distribution : all_distributions()) {
    auto keys = make_keys({distribution, 3}, 1001);
    const auto expected = stable_sorted(keys);
    for (unsigned bit = 0; bit < 32; ++bit) keys = partition_by_bit(keys, bit);
    EXPECT_EQ(keys, expected) << distribution_name(distribution);
  }
}

TEST(Differences, NoneForEqualKeys) {
  EXPECT_FALSE(difference({1, 2, 3}, {1, 2, 3}).has_value());
  EXPECT_FALSE(difference({}, {}).has_value());
}

TEST(Differences, CountsAllAndNamesTheFirst) {
  const auto wrong = difference({1, 9, 3, 8}, {1, 2, 3, 4});
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->wrong_keys, 2u);
  EXPECT_EQ(wrong->first, "position 1: found 9, expected 2");
}

TEST(Differences, OfSizesIsOne) {
  const auto wrong = difference({1, 2}, {1, 2, 3});
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->wrong_keys, 3u);
}

TEST(InputCache, GivesEachInputItsOwnKeys) {
  InputCache cache;
  const PreparedInput first = cache.get({Distribution::kUniform, 1}, 100);
  EXPECT_EQ(first.keys, make_keys({Distribution::kUniform, 1}, 100));
  EXPECT_EQ(first.sorted, stable_sorted(first.keys));
  EXPECT_EQ(cache.get({Distribution::kUniform, 1}, 100).keys, first.keys);
  EXPECT_NE(cache.get({Distribution::kUniform, 2}, 100).keys, first.keys);
  EXPECT_EQ(cache.get({Distribution::kUniform, 2}, 50).keys.size(), 50u);
  EXPECT_EQ(cache.get({Distribution::kUniform, 2}, 0).keys.size(), 0u);
}

}  // namespace
}  // namespace pnsim::gpu
