#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpu/checked_point.h"
#include "gpu/references.h"
#include "gpu/stability_shape.h"

namespace pnsim::gpu {
namespace {

using testing::Each;

Point point(std::int64_t step_milli, std::int64_t final_time, std::int64_t damping_milli) {
  return default_point("stability", {{"width", 31},
                                     {"height", 17},
                                     {"time_step_milli", step_milli},
                                     {"final_time", final_time},
                                     {"damping_milli", damping_milli}});
}

Expected colours(const Point& at) { return stability_reference().result(at, {}); }

TEST(EulerSteps, ReachTheFinalTime) {
  EXPECT_EQ(euler_steps(point(10, 10, 100).axes), 1000u);
  EXPECT_EQ(euler_steps(point(1000, 1, 100).axes), 1u);
  EXPECT_EQ(euler_steps(point(300, 1, 100).axes), 4u);
}

// The textbook method in single precision, pixel by pixel and step by step. The reference, a power
// of a matrix, must agree with it.
std::vector<float> integrated(const Point& at) {
  const auto width = static_cast<std::size_t>(at.at("width"));
  const auto height = static_cast<std::size_t>(at.at("height"));
  const float h = static_cast<float>(at.at("time_step_milli")) / 1000;
  const float c = static_cast<float>(at.at("damping_milli")) / 1000;
  std::vector<float> colours;
  for (std::size_t i = 0; i < width * height; ++i) {
    float x = (2.0f * static_cast<float>(i % width) + 1) / static_cast<float>(width) - 1;
    float y = (2.0f * static_cast<float>(i / width) + 1) / static_cast<float>(height) - 1;
    const float first = x * x + y * y;
    for (unsigned step = 0; step < euler_steps(at.axes); ++step) {
      const float next = x + h * y;
      y += h * (-x - 2 * c * y);
      x = next;
    }
    colours.push_back(x * x + y * y > first ? 1.0f : 0.0f);
  }
  return colours;
}

TEST(StabilityReference, AgreesWithStepsInSinglePrecision) {
  for (const std::int64_t step : {5, 50, 200, 333}) {
    for (const std::int64_t final_time : {1, 10}) {
      for (const std::int64_t damping : {0, 20, 100, 500}) {
        const Point at = point(step, final_time, damping);
        EXPECT_FALSE(difference(words_of(integrated(at)), colours(at)).has_value()) << describe(at);
      }
    }
  }
}

// The pixel in the middle of an odd width starts at rest and stays at rest.
TEST(StabilityReference, RestIsNoGrowth) {
  const Expected result = colours(point(500, 10, 0));
  EXPECT_EQ(numbers_of(result.words)[8 * 31 + 15], 0.0f);
  EXPECT_EQ(numbers_of(result.words)[0], 1.0f);  // without damping explicit Euler always grows
}

TEST(StabilityReference, StrongDampingShrinksEverything) {
  EXPECT_THAT(numbers_of(colours(point(10, 10, 500)).words), Each(0.0f));
}

// At a time step of twice the damping, Euler's method neither grows nor shrinks on average. The
// result of a pixel depends on its initial state, and only few may be undecided.
TEST(StabilityReference, AtTheLimitBothColoursAppearAndFewPixelsAreOpen) {
  const Expected result = colours(point(200, 10, 100));
  const std::vector<float> found = numbers_of(result.words);
  EXPECT_GT(std::count(found.begin(), found.end(), 1.0f), 50);
  EXPECT_GT(std::count(found.begin(), found.end(), 0.0f), 50);
  EXPECT_LT(std::count(result.tolerance.begin(), result.tolerance.end(), 0.5f), 6);
}

TEST(StabilityReference, AnOpenPixelTakesBothColours) {
  EXPECT_FALSE(difference(words_of({1.0f, 0.0f}), {words_of({0.5f, 0.5f}), {0.5f, 0.5f}}));
  EXPECT_TRUE(difference(words_of({1.5f}), {words_of({0.5f}), {0.5f}}));
}

}  // namespace
}  // namespace pnsim::gpu
