#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpu/checked_point.h"
#include "gpu/references.h"

namespace pnsim::gpu {
namespace {

using testing::ElementsAre;

Point point(std::int64_t n, std::int64_t d) {
  return default_point("norm_base", {{"n", n}, {"d", d}});
}

TEST(NormReference, SubtractsTheMeanOfEachVector) {
  const Expected result = norm_reference().result(point(6, 3), words_of({1, 2, 3, 10, 20, 60}));
  EXPECT_THAT(numbers_of(result.words), ElementsAre(-1, 0, 1, -20, -10, 30));
}

TEST(NormReference, LeavesOutWhatIsNoWholeVector) {
  const Expected result = norm_reference().result(point(5, 2), words_of({1, 3, 5, 5, 9}));
  EXPECT_THAT(numbers_of(result.words), ElementsAre(-1, 1, 0, 0));
  EXPECT_EQ(norm_reference().work(point(5, 2)).elements, 4);
  EXPECT_EQ(norm_reference().result(point(1, 2), words_of({1})).words.size(), 0u);
}

TEST(NormReference, AVectorOfOneElementIsZero) {
  const Expected result = norm_reference().result(point(2, 1), words_of({4, -5}));
  EXPECT_THAT(numbers_of(result.words), ElementsAre(0, 0));
}

// A single-precision sum from the last element to the first, and a mean that lacks an element.
TEST(NormReference, ToleranceHoldsForAnyOrderAndNotForMore) {
  constexpr std::size_t kD = 128;
  const Words input = norm_reference().input(point(kD, kD));
  const std::vector<float> in = numbers_of(input);
  const Expected expected = norm_reference().result(point(kD, kD), input);
  float sum = 0;
  for (std::size_t i = kD; i-- > 0;) sum += in[i];
  std::vector<float> right, wrong;
  for (const float x : in) {
    right.push_back(x - sum / kD);
    wrong.push_back(x - (sum - in[0]) / kD);
  }
  EXPECT_FALSE(difference(words_of(right), expected).has_value());
  EXPECT_EQ(difference(words_of(wrong), expected)->wrong_elements, kD);
}

}  // namespace
}  // namespace pnsim::gpu
