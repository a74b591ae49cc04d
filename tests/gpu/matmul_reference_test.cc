#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpu/checked_point.h"
#include "gpu/references.h"

namespace pnsim::gpu {
namespace {

using testing::ElementsAre;

Point point(std::int64_t n) { return default_point("matmul_plain", {{"n", n}}); }

Expected product(std::int64_t n, const std::vector<float>& factors) {
  return matmul_reference().result(point(n), words_of(factors));
}

TEST(MatmulReference, MultipliesByHand) {
  const Expected result = product(2, {1, 2, 3, 4, /*B*/ 5, 6, 7, 8});
  EXPECT_THAT(numbers_of(result.words), ElementsAre(19, 22, 43, 50));
}

TEST(MatmulReference, TheUnitMatrixChangesNothing) {
  const Expected result = product(3, {1, 0, 0, 0, 1, 0, 0, 0, 1, /*B*/ 1, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_THAT(numbers_of(result.words), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9));
}

// Single precision in both orders of summation must be accepted, and one additional product
// refused.
TEST(MatmulReference, ToleranceHoldsForAnyOrderAndNotForMore) {
  constexpr std::size_t kN = 65;
  const Words input = matmul_reference().input(point(kN));
  const std::vector<float> factors = numbers_of(input);
  const Expected expected = matmul_reference().result(point(kN), input);
  std::vector<float> forward(kN * kN), backward(kN * kN), wrong(kN * kN);
  for (std::size_t i = 0; i < kN * kN; ++i) {
    const float* a = factors.data() + i / kN * kN;
    const float* b = factors.data() + kN * kN + i % kN;
    for (std::size_t k = 0; k < kN; ++k) forward[i] += a[k] * b[k * kN];
    for (std::size_t k = kN; k-- > 0;) backward[i] += a[k] * b[k * kN];
    wrong[i] = forward[i] + a[0] * b[0];
  }
  EXPECT_FALSE(difference(words_of(forward), expected).has_value());
  EXPECT_FALSE(difference(words_of(backward), expected).has_value());
  EXPECT_GT(difference(words_of(wrong), expected)->wrong_elements, kN * kN * 95 / 100);
}

}  // namespace
}  // namespace pnsim::gpu
