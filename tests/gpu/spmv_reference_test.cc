#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "gpu/checked_point.h"
#include "gpu/references.h"
#include "gpu/spmv_shape.h"

namespace pnsim::gpu {
namespace {

using testing::Each;
using testing::ElementsAre;

Point spmv_point(std::int64_t rows, std::int64_t entries, std::int64_t uneven = 1) {
  return default_point("spmv", {{"rows", rows}, {"entries", entries}, {"uneven", uneven}});
}

std::vector<std::uint32_t> lengths(const Point& at) {
  const Words input = spmv_reference().input(at);
  std::vector<std::uint32_t> lengths;
  for (std::size_t row = 0; row < spmv_shape(at.axes).rows; ++row) {
    lengths.push_back(input[row + 1] - input[row]);
  }
  return lengths;
}

TEST(SpmvReference, MultipliesByHand) {
  Words input = {0, 1, 4, /*columns*/ 1, 0, 1, 1};
  for (const std::uint32_t word : words_of({/*values*/ 2, 3, 4, 5, /*vector*/ 10, 100})) {
    input.push_back(word);
  }
  EXPECT_THAT(numbers_of(spmv_reference().result(spmv_point(2, 2), input).words),
              ElementsAre(200, 30 + 400 + 500));
}

TEST(SpmvReference, EvenRowsAreAllAlike) { EXPECT_THAT(lengths(spmv_point(101, 7, 0)), Each(7u)); }

TEST(SpmvReference, UnevenRowsHaveAnyLengthAndAddUpToTheSame) {
  for (const std::int64_t rows : {1, 2, 1000, 1001}) {
    const auto found = lengths(spmv_point(rows, 16));
    EXPECT_EQ(std::accumulate(found.begin(), found.end(), std::int64_t{0}), 16 * rows);
    EXPECT_GE(*std::min_element(found.begin(), found.end()), 1u);
    EXPECT_LE(*std::max_element(found.begin(), found.end()), 31u);
  }
  const auto many = lengths(spmv_point(1000, 16));
  EXPECT_EQ(*std::min_element(many.begin(), many.end()), 1u);
  EXPECT_EQ(*std::max_element(many.begin(), many.end()), 31u);
}

TEST(SpmvReference, ColumnsAreInTheMatrix) {
  const Point at = spmv_point(77, 5);
  const SpmvShape shape = spmv_shape(at.axes);
  const Words input = spmv_reference().input(at);
  EXPECT_EQ(input.size(), shape.words());
  for (std::size_t i = shape.columns_at(); i < shape.values_at(); ++i) EXPECT_LT(input[i], 77u);
}

// Single precision from the last entry to the first must be accepted, and a sum without the first
// entry refused.
TEST(SpmvReference, ToleranceHoldsForAnyOrderAndNotForMore) {
  const Point at = spmv_point(500, 64);
  const SpmvShape shape = spmv_shape(at.axes);
  const Words input = spmv_reference().input(at);
  const std::vector<float> numbers = numbers_of(input);
  std::vector<float> right(shape.rows), wrong(shape.rows);
  for (std::size_t row = 0; row < shape.rows; ++row) {
    for (std::size_t i = input[row + 1]; i-- > input[row];) {
      wrong[row] = right[row];
      right[row] += numbers[shape.values_at() + i] *
                    numbers[shape.vector_at() + input[shape.columns_at() + i]];
    }
  }
  const Expected expected = spmv_reference().result(at, input);
  EXPECT_FALSE(difference(words_of(right), expected).has_value());
  EXPECT_GT(difference(words_of(wrong), expected)->wrong_elements, 490u);
}

}  // namespace
}  // namespace pnsim::gpu
