// Tests that the steps of the reference engine follow the exact distribution.
#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "simulator/analysis/exact/step_distribution.h"
#include "simulator/engine/reference_engine.h"
#include "tests/engine/tiny_net.h"
#include "tests/support/chi_square.h"
#include "tests/support/random_net.h"
#include "tests/support/wpnm_net.h"

namespace pnsim {
namespace {

using test::chi_square;
using test::ChiSquare;

constexpr double kSignificance = 1e-6;  // one false alarm in a million; the seeds are fixed

std::vector<TransitionId> sorted(std::span<const TransitionId> list) {
  std::vector<TransitionId> out(list.begin(), list.end());
  std::sort(out.begin(), out.end());
  return out;
}

using Counts = std::map<std::vector<TransitionId>, double>;

// The first steps of `replicas` replicas.
Counts sample_first_steps(const Net& net, std::uint64_t seed, std::uint32_t replicas) {
  Counts counts;
  for (std::uint32_t r = 0; r < replicas; ++r) {
    ReferenceEngine engine(net, {.seed = seed, .replica = r});
    if (engine.outcome(1)) return {};
    ++counts[sorted(engine.choose())];
  }
  return counts;
}

// Nothing when there are too few samples. Fails when an impossible step was drawn.
std::optional<ChiSquare> judge(const Net& net, const Counts& counts, double samples) {
  StepPlan plan(net);
  plan.examine(net.initial_marking());
  std::vector<double> observed, expected;
  double seen = 0;
  for (const FiredSet& step : step_distribution(net, plan, net.initial_marking())) {
    const auto it = counts.find(step.fired);
    observed.push_back(it == counts.end() ? 0 : it->second);
    expected.push_back(samples * step.probability.convert_to<double>());
    seen += observed.back();
  }
  EXPECT_EQ(seen, samples) << "a step outside the distribution was drawn";
  return chi_square(observed, expected, kSignificance);
}

TEST(ChiSquareTest, RefusesToJudgeWithTooFewExpected) {
  EXPECT_FALSE(chi_square({3, 97}, {4.9, 95.1}, 0.01));
  EXPECT_TRUE(chi_square({3, 97}, {5, 95}, 0.01));
  EXPECT_FALSE(chi_square({100}, {100}, 0.01));
  EXPECT_FALSE(chi_square({50, 50}, {50, 25, 25}, 0.01));
}

TEST(ChiSquareTest, KnowsTheTabulatedThreshold) {
  const auto result = chi_square({10, 20, 30}, {20, 20, 20}, 0.05);
  ASSERT_TRUE(result);
  EXPECT_DOUBLE_EQ(result->statistic, 10);
  EXPECT_NEAR(result->threshold, 5.991, 0.001);
  EXPECT_FALSE(result->passes());
}

TEST(StepSampling, AThreePercentBiasWouldBeSeen) {
  const auto biased = chi_square({10'300, 9'700}, {10'000, 10'000}, 1e-3);
  ASSERT_TRUE(biased);
  EXPECT_FALSE(biased->passes());
}

TEST(StepSampling, OverReplicasOnRandomNets) {
  int judged = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Net net = test::random_net(seed, {.places = 4, .transitions = 7, .max_inputs = 3});
    const Counts counts = sample_first_steps(net, 1000 + seed, 3000);
    if (counts.empty()) continue;
    const auto result = judge(net, counts, 3000);
    if (!result) continue;
    ++judged;
    EXPECT_TRUE(result->passes()) << net.name() << ": " << result->statistic << " > "
                                  << result->threshold;
  }
  EXPECT_GE(judged, 20);
}

TEST(StepSampling, WarpsThatCompeteForSchedulersWinAsOftenAsTheLawSays) {
  // The ready warps (p2, p4 marked) compete for 2 schedulers: 5 candidates, 10 pairs.
  const Net start = test::wpnm_net({.warps = 5, .schedulers = 2, .xa = 1, .xs = 0, .xg = 0});
  ReferenceEngine engine(start, {.seed = 1});
  ASSERT_FALSE(engine.outcome(10));
  engine.choose();
  engine.fire();
  ASSERT_FALSE(engine.outcome(10));
  ASSERT_EQ(engine.plan().conflicts().size(), 1u);
  Counts counts;
  for (std::uint32_t r = 0; r < 5000; ++r) {
    ReferenceEngine replica(start, {.seed = 7, .replica = r});
    for (int step = 0; step < 2; ++step) {
      ASSERT_FALSE(replica.outcome(10));
      const auto fired = sorted(replica.choose());
      if (step == 1) ++counts[fired];
      replica.fire();
    }
  }
  std::vector<double> observed, expected;
  for (const FiredSet& step : step_distribution(start, engine.plan(), engine.marking())) {
    observed.push_back(counts[step.fired]);
    expected.push_back(5000 * step.probability.convert_to<double>());
  }
  ASSERT_EQ(observed.size(), 10u);
  const auto result = chi_square(observed, expected, kSignificance);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->passes()) << result->statistic;
}

// Linked conflicts of different sizes that recur in every step.
Net returning_net() {
  return test::build({{{"p", 2}, {"q", 1}},
                      {{"a", {{"p", 1}}, {{"p", 1}}},
                       {"b", {{"p", 2}}, {{"p", 2}}},
                       {"c", {{"p", 1}, {"q", 1}}, {{"p", 1}, {"q", 1}}},
                       {"d", {{"q", 1}}, {{"q", 1}}}}});
}

TEST(StepSampling, OverTheStepsOfOneRun) {
  const Net net = returning_net();
  ReferenceEngine engine(net, {.seed = 3});
  Counts counts;
  while (!engine.outcome(6000)) {
    ++counts[sorted(engine.choose())];
    engine.fire();
  }
  const auto result = judge(net, counts, 6000);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->passes()) << result->statistic;
}

TEST(StepSampling, OverSeedsAndOverStreams) {
  const Net net = returning_net();
  for (const bool by_seed : {true, false}) {
    Counts counts;
    for (std::uint32_t i = 0; i < 6000; ++i) {
      ReferenceEngine engine(net, by_seed ? RunId{.seed = i} : RunId{.seed = 5, .stream = i});
      ASSERT_FALSE(engine.outcome(1));
      ++counts[sorted(engine.choose())];
    }
    const auto result = judge(net, counts, 6000);
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->passes()) << (by_seed ? "seeds: " : "streams: ") << result->statistic;
  }
}

}  // namespace
}  // namespace pnsim
