#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gpu/checked_point.h"
#include "gpu/references.h"

namespace pnsim::gpu {
namespace {

using testing::ElementsAre;
using testing::FloatEq;

Point softmax_point(std::int64_t rows, std::int64_t columns) {
  return default_point("softmax_rows", {{"rows", rows}, {"columns", columns}});
}

TEST(SoftmaxReference, RowsAreSharesOfTheirOwn) {
  const float two = std::log(2.0f);
  const Expected result = softmax_reference().result(softmax_point(2, 2), words_of({5, 5, 0, two}));
  EXPECT_THAT(numbers_of(result.words),
              ElementsAre(0.5f, 0.5f, FloatEq(1 / 3.0f), FloatEq(2 / 3.0f)));
}

TEST(SoftmaxReference, ARowOfOneIsOne) {
  EXPECT_THAT(numbers_of(softmax_reference().result(softmax_point(2, 1), words_of({-3, 7})).words),
              ElementsAre(1, 1));
}

// Single precision from the last column to the first must be accepted, and a sum that lacks one
// column refused.
TEST(SoftmaxReference, ToleranceHoldsForAnyOrderAndNotForMore) {
  constexpr std::size_t kColumns = 700;
  const Words input = softmax_reference().input(softmax_point(3, kColumns));
  const std::vector<float> in = numbers_of(input);
  std::vector<float> right, wrong;
  for (std::size_t row = 0; row < 3; ++row) {
    float sum = 0, without = 0;
    for (std::size_t i = (row + 1) * kColumns; i-- > row * kColumns;) {
      without = sum;
      sum += std::exp(in[i] - 1);
    }
    for (std::size_t i = row * kColumns; i < (row + 1) * kColumns; ++i) {
      right.push_back(std::exp(in[i] - 1) / sum);
      wrong.push_back(std::exp(in[i] - 1) / without);
    }
  }
  const Expected expected = softmax_reference().result(softmax_point(3, kColumns), input);
  EXPECT_FALSE(difference(words_of(right), expected).has_value());
  EXPECT_EQ(difference(words_of(wrong), expected)->wrong_elements, 3 * kColumns);
}

}  // namespace
}  // namespace pnsim::gpu
