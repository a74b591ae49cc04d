#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/block_shape.h"
#include "gpu/checked_point.h"
#include "gpu/references.h"

namespace pnsim::gpu {
namespace {

using testing::Each;
using testing::ElementsAre;

Point parts_of(const char* program, std::int64_t n, std::int64_t block) {
  return default_point(program, {{"n", n}, {"block", block}});
}

TEST(BlockReductionReference, AddsUpThePartOfEachBlock) {
  constexpr std::int64_t kPart = 64 * kSummandsPerThread;
  const std::vector<float> ones(kPart + 3, 1);
  const Expected result = block_reduction_reference().result(
      parts_of("block_reduction", kPart + 3, 64), words_of(ones));
  EXPECT_THAT(numbers_of(result.words), ElementsAre(kPart, 3));
  EXPECT_EQ(block_reduction_reference().work(parts_of("block_reduction", kPart + 3, 64)).bytes,
            4 * (kPart + 3) + 8);
}

// A sum from the last number to the first must be accepted; a sum that lacks one of them must be
// refused.
TEST(BlockReductionReference, ToleranceHoldsForAnyOrderAndNotForMore) {
  const Point point = parts_of("block_reduction", 100000, 128);
  const Words input = block_reduction_reference().input(point);
  const std::vector<float> in = numbers_of(input);
  const Expected expected = block_reduction_reference().result(point, input);
  constexpr std::size_t kPart = 128 * kSummandsPerThread;
  std::vector<float> right(expected.words.size()), wrong;
  for (std::size_t i = in.size(); i-- > 0;) right[i / kPart] += in[i];
  for (std::size_t part = 0; part < right.size(); ++part)
    wrong.push_back(right[part] - in[part * kPart]);
  EXPECT_FALSE(difference(words_of(right), expected).has_value());
  EXPECT_GT(difference(words_of(wrong), expected)->wrong_elements, right.size() * 9 / 10);
}

TEST(BlockScanReference, BeginsAnewInEachBlock) {
  const Words result =
      block_scan_reference().result(parts_of("block_scan", 131, 64), Words(131, 2)).words;
  EXPECT_EQ(result[0], 2u);
  EXPECT_EQ(result[63], 128u);
  EXPECT_EQ(result[64], 2u);
  EXPECT_EQ(result[130], 6u);
}

TEST(BlockScanReference, SumsWrapAround) {
  const Words result =
      block_scan_reference().result(parts_of("block_scan", 2, 64), {0xFFFFFFFFu, 3}).words;
  EXPECT_THAT(result, ElementsAre(0xFFFFFFFFu, 2u));
}

TEST(BlockSortReference, SortsTwoKeysAThread) {
  Words falling(131);
  for (std::uint32_t i = 0; i < 131; ++i) falling[i] = 1000 - i;
  const Words result =
      block_sort_reference().result(parts_of("bitonic_block", 131, 64), falling).words;
  EXPECT_EQ(result[0], 1000u - 127);
  EXPECT_EQ(result[127], 1000u);
  EXPECT_THAT(Words(result.begin() + 128, result.end()), ElementsAre(870u, 871u, 872u));
}

TEST(BlockSortReference, OneBlockSortsAll) {
  const Point point = parts_of("bitonic_block", 2001, 1024);
  const Words input = block_sort_reference().input(point);
  EXPECT_EQ(block_sort_reference().result(point, input).words,
            sort_reference().result(point, input).words);
}

TEST(HistogramReference, CountsTheLowestBits) {
  const Point point = default_point("histogram", {{"n", 6}, {"bins", 4}});
  EXPECT_THAT(histogram_reference().result(point, {0, 4, 1, 0xFFFFFFFFu, 7, 8}).words,
              ElementsAre(3u, 1u, 0u, 2u));
}

TEST(HistogramReference, RandomKeysAreNearlyEven) {
  const Point point = default_point("histogram", {{"n", 256000}});
  const Words counts =
      histogram_reference().result(point, histogram_reference().input(point)).words;
  EXPECT_EQ(counts.size(), 256u);
  EXPECT_THAT(counts, Each(testing::AllOf(testing::Gt(800u), testing::Lt(1200u))));
}

}  // namespace
}  // namespace pnsim::gpu
