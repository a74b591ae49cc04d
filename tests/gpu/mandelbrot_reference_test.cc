#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>

#include "gpu/checked_point.h"
#include "gpu/references.h"

namespace pnsim::gpu {
namespace {

Words steps_of(std::int64_t width, std::int64_t height, std::int64_t most) {
  const Point point =
      default_point("mandelbrot", {{"width", width}, {"height", height}, {"most_steps", most}});
  return mandelbrot_reference().result(point, {}).words;
}

TEST(MandelbrotReference, PointsOfTheSetTakeAllSteps) {
  const Words found =
      steps_of(5, 5, 100);  // columns at -2, -1.5 ... 0; rows at -1.25, -0.75 ... 0.75
  EXPECT_EQ(found[0], 1u);  // -2 - 1.25i lies outside the circle
  const Words fine = steps_of(10, 10, 100);
  EXPECT_EQ(fine[5 * 10 + 8], 100u);  // 0
  EXPECT_EQ(fine[5 * 10 + 4], 100u);  // -1
  EXPECT_EQ(fine[5 * 10 + 0], 100u);  // -2, the leftmost point of the set
}

TEST(MandelbrotReference, NoPointTakesMoreThanTheMost) {
  EXPECT_THAT(steps_of(30, 30, 7), testing::Each(testing::Le(7u)));
  EXPECT_THAT(steps_of(30, 30, 7), testing::Contains(7u));
}

// In double precision only pixels near the border of the set differ.
TEST(MandelbrotReference, AgreesWithComplexNumbersNearlyEverywhere) {
  constexpr std::size_t kEdge = 200;
  constexpr std::uint32_t kMost = 64;
  const Words found = steps_of(kEdge, kEdge, kMost);
  std::size_t differing = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::complex<double> c(-2 + 2.5 * static_cast<double>(i % kEdge) / kEdge,
                                 -1.25 + 2.5 * static_cast<double>(i / kEdge) / kEdge);
    std::complex<double> z = 0;
    std::uint32_t step = 0;
    for (; step < kMost && std::norm(z) <= 4; ++step) z = z * z + c;
    differing += step != found[i] ? 1 : 0;
  }
  EXPECT_LT(differing, found.size() / 500);
}

}  // namespace
}  // namespace pnsim::gpu
