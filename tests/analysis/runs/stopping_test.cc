#include "simulator/analysis/runs/stopping.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace pnsim {
namespace {

// Applies the rule to samples of `draw`. Returns how it ended and the final mean.
template <class Draw>
std::pair<Stopped, double> stopped_with(const StoppingRule& rule, Draw draw) {
  std::vector<double> samples;
  const auto run = [&](std::uint32_t first, std::uint32_t count) {
    EXPECT_EQ(first, samples.size());
    for (std::uint32_t i = 0; i < count; ++i) samples.push_back(draw());
  };
  const Stopped stopped = run_until_precise(rule, run, [&] { return samples; });
  double mean = 0;
  for (const double x : samples) mean += x / static_cast<double>(samples.size());
  return {stopped, mean};
}

TEST(RelativeHalfWidth, IsThatOfTheStudentIntervalAtTheLooksLevel) {
  const std::vector<double> x{98, 99, 100, 101, 102};  // sd sqrt(2.5), n = 5
  EXPECT_NEAR(relative_half_width(x, 1), 3.4954 * std::sqrt(2.5 / 5) / 100, 1e-6);  // t(0.9875, 4)
  EXPECT_GT(relative_half_width(x, 2), relative_half_width(x, 1));
  EXPECT_EQ(relative_half_width(std::vector<double>{3, 3, 3}, 1), 0);
  EXPECT_TRUE(std::isinf(relative_half_width(std::vector<double>{-1, 1}, 1))) << "no mean";
}

TEST(RunUntilPrecise, LooksAtDoubledNumbersUpToTheMost) {
  std::vector<std::uint32_t> totals;
  std::vector<double> samples;
  const auto run = [&](std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) samples.push_back((first + i) % 2 ? 1 : 2);
    totals.push_back(first + count);
  };
  const Stopped out = run_until_precise({1e-6, 100}, run, [&] { return samples; });
  EXPECT_EQ(totals, (std::vector<std::uint32_t>{8, 16, 32, 64, 100}));
  EXPECT_FALSE(out.reached);
  EXPECT_EQ(out.looks, 5);
}

// Repeated checks must not reduce the confidence of the interval that stopped the run.
TEST(RunUntilPrecise, KeepsItsConfidenceOverAllLooks) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal(100, 20);
  constexpr int kTrials = 2000;
  int wrong = 0, looked_more_than_once = 0;
  for (int i = 0; i < kTrials; ++i) {
    const auto [stopped, mean] = stopped_with({0.05, 100'000}, [&] { return normal(random); });
    ASSERT_TRUE(stopped.reached);
    wrong += std::abs(mean - 100) > stopped.relative_half_width * mean;
    looked_more_than_once += stopped.looks > 1;
  }
  EXPECT_GT(looked_more_than_once, kTrials / 2);
  EXPECT_LE(wrong, kTrials / 20);
}

TEST(StoppedJson, HasItsKeys) {
  EXPECT_EQ(to_line(to_json(Stopped{0.1, true, 0.05, 2})),
            R"({"rel_error":0.1,"reached":true,"relative_half_width":0.05,"looks":2})");
}

}  // namespace
}  // namespace pnsim
