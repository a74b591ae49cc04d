#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gpu/checked_point.h"
#include "gpu/references.h"
#include "gpu/sobel_shape.h"

namespace pnsim::gpu {
namespace {

using testing::Each;
using testing::ElementsAre;

Words edges(std::int64_t width, std::int64_t height, const Words& image) {
  const Point point = default_point("sobel_global", {{"width", width}, {"height", height}});
  return sobel_reference().result(point, image).words;
}

TEST(SobelReference, AStepIsAnEdgeAndTheRimIsNot) {
  EXPECT_THAT(edges(4, 3, {0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 255, 255}),
              ElementsAre(0, 0, 0, 0, 0, kEdge, kEdge, 0, 0, 0, 0, 0));
  EXPECT_THAT(edges(3, 4, {0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255}),
              ElementsAre(0, 0, 0, 0, kEdge, 0, 0, kEdge, 0, 0, 0, 0));
}

TEST(SobelReference, TheThresholdItselfIsNoEdge) {
  EXPECT_THAT(edges(3, 3, {0, 0, 64, 0, 0, 64, 0, 0, 64}), Each(0u));  // a gradient of exactly 256
  EXPECT_EQ(edges(3, 3, {0, 0, 64, 0, 0, 65, 0, 0, 64})[4], kEdge);
}

TEST(SobelReference, AnEvenImageHasNone) { EXPECT_THAT(edges(5, 5, Words(25, 200)), Each(0u)); }

TEST(SobelReference, ImagesWithoutAnInsideHaveNone) {
  EXPECT_THAT(edges(2, 5, Words(10, 7)), Each(0u));
  EXPECT_THAT(edges(1, 1, {255}), ElementsAre(0u));
}

TEST(SobelReference, AboutHalfOfRandomPixelsAreEdges) {
  const Point point = default_point("sobel_global", {{"width", 200}, {"height", 100}});
  const Words image = sobel_reference().input(point);
  EXPECT_THAT(image, Each(testing::Le(255u)));
  const Words result = sobel_reference().result(point, image).words;
  const auto found = std::count(result.begin(), result.end(), kEdge);
  EXPECT_GT(found, 8000);
  EXPECT_LT(found, 16000);
}

}  // namespace
}  // namespace pnsim::gpu
