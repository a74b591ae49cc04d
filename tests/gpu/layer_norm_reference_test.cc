#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gpu/checked_point.h"
#include "gpu/references.h"

namespace pnsim::gpu {
namespace {

using testing::ElementsAre;
using testing::FloatNear;

Point norm_point(std::int64_t rows, std::int64_t columns) {
  return default_point("layer_norm", {{"rows", rows}, {"columns", columns}});
}

// One row: -1 and 1 have mean 0 and variance 1. The second column is doubled and shifted by 5.
TEST(LayerNormReference, NormalisesScalesAndShifts) {
  const Expected result =
      layer_norm_reference().result(norm_point(1, 2), words_of({-1, 1, 1, 2, 0, 5}));
  EXPECT_THAT(numbers_of(result.words), ElementsAre(FloatNear(-1, 1e-4f), FloatNear(7, 1e-4f)));
}

TEST(LayerNormReference, ARowOfOneIsItsShift) {
  const Expected result = layer_norm_reference().result(norm_point(1, 1), words_of({3, 2, 0.5f}));
  EXPECT_THAT(numbers_of(result.words), ElementsAre(0.5f));
}

std::vector<float> normalised_in_floats(const std::vector<float>& in, std::size_t first,
                                        std::size_t columns, std::size_t used) {
  float sum = 0, squares = 0;
  for (std::size_t i = columns; i-- > columns - used;) sum += in[first + i];
  const float mean = sum / static_cast<float>(columns);
  for (std::size_t i = columns; i-- > 0;)
    squares += (in[first + i] - mean) * (in[first + i] - mean);
  const float factor = 1 / std::sqrt(squares / static_cast<float>(columns) + 0x1p-16f);
  std::vector<float> out;
  for (std::size_t i = 0; i < columns; ++i) out.push_back((in[first + i] - mean) * factor);
  return out;
}

// Single precision from the last column to the first is accepted, a mean that lacks a column is
// not.
TEST(LayerNormReference, ToleranceHoldsForAnyOrderAndNotForMore) {
  constexpr std::size_t kColumns = 700;
  const Words input = layer_norm_reference().input(norm_point(1, kColumns));
  const Expected expected = layer_norm_reference().result(norm_point(1, kColumns), input);
  const std::vector<float> in = numbers_of(input);
  for (const std::size_t used : {kColumns, kColumns - 1}) {
    std::vector<float> found = normalised_in_floats(in, 0, kColumns, used);
    for (std::size_t i = 0; i < kColumns; ++i)
      found[i] = found[i] * in[kColumns + i] + in[2 * kColumns + i];
    const auto wrong = difference(words_of(found), expected);
    if (used == kColumns) {
      EXPECT_FALSE(wrong.has_value());
    } else {
      EXPECT_GT(wrong->wrong_elements, kColumns / 2);
    }
  }
}

TEST(StandardiseReference, AcceptsFloatsAndNotAMissingNumber) {
  const Point point = default_point("grid_standardise", {{"n", 1000}});
  const Words input = standardise_reference().input(point);
  const Expected expected = standardise_reference().result(point, input);
  const std::vector<float> in = numbers_of(input);
  EXPECT_FALSE(difference(words_of(normalised_in_floats(in, 0, 1000, 1000)), expected).has_value());
  EXPECT_GT(difference(words_of(normalised_in_floats(in, 0, 1000, 999)), expected)->wrong_elements,
            500u);
}

}  // namespace
}  // namespace pnsim::gpu
