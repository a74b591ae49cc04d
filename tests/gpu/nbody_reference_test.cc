#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gpu/checked_point.h"
#include "gpu/nbody_shape.h"
#include "gpu/references.h"

namespace pnsim::gpu {
namespace {

using testing::Each;
using testing::FloatEq;

Point nbody_point(std::int64_t n) { return default_point("nbody", {{"n", n}}); }

std::vector<float> pulls(const std::vector<float>& bodies) {
  const auto n = static_cast<std::int64_t>(bodies.size() / 4);
  return numbers_of(nbody_reference().result(nbody_point(n), words_of(bodies)).words);
}

TEST(NbodyReference, ABodyAloneRests) { EXPECT_THAT(pulls({0.5f, 0.25f, -1, 1}), Each(0.0f)); }

TEST(NbodyReference, TwoBodiesPullEachOtherByTheirMasses) {
  const std::vector<float> found = pulls({0, 0, 0, 1, /*other*/ 0.5f, 0, 0, 2});
  const auto expected = static_cast<float>(0.5 / std::pow(0.25 + double{kSoftening}, 1.5));
  EXPECT_THAT(found, testing::ElementsAre(FloatEq(2 * expected), 0, 0, 0,
                                          /*other*/ FloatEq(-expected), 0, 0, 0));
}

// The kernel's computation in single precision with the last body first; and without one body.
TEST(NbodyReference, ToleranceHoldsForAnyOrderAndNotForMore) {
  constexpr std::size_t kBodies = 300;
  const Words input = nbody_reference().input(nbody_point(kBodies));
  const std::vector<float> all = numbers_of(input);
  std::vector<float> right(all.size()), wrong(all.size());
  for (std::size_t own = 0; own < all.size(); own += 4) {
    for (std::size_t other = all.size(); other > 0; other -= 4) {
      const float* const body = all.data() + other - 4;
      float squared = kSoftening;
      for (std::size_t k = 0; k < 3; ++k)
        squared += (body[k] - all[own + k]) * (body[k] - all[own + k]);
      const float near = 1 / std::sqrt(squared);
      for (std::size_t k = 0; k < 3; ++k) {
        wrong[own + k] = right[own + k];
        right[own + k] += body[3] * near * near * near * (body[k] - all[own + k]);
      }
    }
  }
  const Expected expected = nbody_reference().result(nbody_point(kBodies), input);
  EXPECT_FALSE(difference(words_of(right), expected).has_value());
  EXPECT_GT(difference(words_of(wrong), expected)->wrong_elements, 3 * kBodies * 95 / 100);
}

}  // namespace
}  // namespace pnsim::gpu
