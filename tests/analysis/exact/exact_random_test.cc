// Tests the exact chain on random nets against a naive one and against the reference engine.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "simulator/analysis/exact/exact.h"
#include "simulator/base/stats.h"
#include "simulator/engine/run.h"
#include "tests/analysis/exact/naive_chain.h"
#include "tests/support/random_net.h"
#include "tests/support/wpnm_net.h"

namespace pnsim {
namespace {

using test::Flow;
using test::NaiveChain;
using test::NaiveResult;
using test::random_net;
using test::RandomNetOptions;

struct Seen {
  int compared = 0, cyclic = 0, never = 0, two_ends = 0;
};

void compare(const Net& net, Seen& seen) {
  NaiveChain naive;
  if (!naive.explore(net, 60, 6)) return;
  const NaiveResult expected = naive.solve();
  const ExactResult result = exact_steps(net);
  ASSERT_TRUE(result.rational);
  EXPECT_EQ(result.markings, expected.markings);
  ASSERT_EQ(result.expected_steps.has_value(), expected.steps.has_value());
  if (expected.steps) {
    EXPECT_EQ(result.expected_steps->fraction, expected.steps->str());
  }
  EXPECT_EQ(result.goal.fraction, expected.goal.str());
  EXPECT_EQ(result.dead.fraction, expected.dead.str());
  EXPECT_EQ(result.never.fraction, expected.never.str());
  ++seen.compared;
  seen.cyclic += expected.cyclic > 0 ? 1 : 0;
  seen.never += expected.steps ? 0 : 1;
  seen.two_ends += expected.goal > 0 && expected.dead > 0 ? 1 : 0;
}

TEST(ExactRandom, AgreesWithAPlainChainToTheLastFigure) {
  Seen seen;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const RandomNetOptions options{.places = 4,
                                   .transitions = 5,
                                   .max_tokens = 2,
                                   .goal = seed % 2 == 0,
                                   .flow = seed % 3 == 0 ? Flow::kShrinking : Flow::kKeeping};
    const Net net = random_net(seed, options);
    SCOPED_TRACE(net.name());
    compare(net, seen);
  }
  // The comparison is meaningful only if every kind of chain occurred.
  EXPECT_GT(seen.compared, 100);
  EXPECT_GT(seen.cyclic, 30);
  EXPECT_GT(seen.never, 20);
  EXPECT_GT(seen.two_ends, 10);
}

// Compares the mean steps and the shares of the ends of `count` runs, within 5 standard errors.
void expect_runs_agree(const Net& net, std::uint32_t count) {
  SCOPED_TRACE(net.name());
  const ExactResult exact = exact_steps(net);
  ASSERT_TRUE(exact.expected_steps);
  std::vector<double> steps;
  double goals = 0;
  for (std::uint32_t r = 0; r < count; ++r) {
    const RunResult run = run_reference(net, {.seed = 11, .replica = r});
    steps.push_back(static_cast<double>(run.steps));
    goals += run.outcome == Outcome::kGoal ? 1 : 0;
  }
  const double n = count;
  // If all runs take the same number of steps, the exact result must be that number.
  EXPECT_NEAR(mean(steps), exact.expected_steps->decimal, 5 * stddev(steps) / std::sqrt(n) + 1e-12);
  const double p = exact.goal.decimal;
  EXPECT_NEAR(goals / n, p, 5 * std::sqrt(p * (1 - p) / n) + 1e-12);
}

TEST(ExactMonteCarlo, AgreesOnThePapersNet) {
  expect_runs_agree(test::wpnm_net({.warps = 2, .l1 = 3, .l2 = 1}), 2000);
  expect_runs_agree(test::wpnm_net({.warps = 2, .l1 = 3, .l2 = 1, .literal = true}), 2000);
  expect_runs_agree(test::wpnm_net({.warps = 3, .schedulers = 2, .l1 = 3, .l2 = 1, .xs = 0}), 1000);
  expect_runs_agree(test::wpnm_net({.warps = 4, .l1 = 3, .l2 = 1, .xs = 0, .literal = true}), 1000);
}

TEST(ExactMonteCarlo, AgreesOnRandomNets) {
  int lines = 0, cyclic = 0, spread = 0;
  for (std::uint64_t seed = 500; lines + cyclic < 12; ++seed) {
    const Net net = random_net(seed, {.places = 6,
                                      .transitions = 8,
                                      .max_inputs = 3,
                                      .goal = seed % 2 == 0,
                                      .flow = seed % 4 < 2 ? Flow::kShrinking : Flow::kKeeping});
    const ExactResult exact = exact_steps(net, {.limits = {.max_markings = 20'000}});
    if (!exact.expected_steps || exact.expected_steps->decimal < 2) continue;
    const bool in_circles = exact.largest_component > 1;
    if (!in_circles && lines == 8) continue;  // the others must have cycles
    expect_runs_agree(net, 1500);
    ++(in_circles ? cyclic : lines);
    spread += exact.expected_steps->fraction.value_or("/").find('/') != std::string::npos ? 1 : 0;
  }
  EXPECT_GE(spread, 6) << "chance must play a part";
  EXPECT_GE(cyclic, 4);
}

}  // namespace
}  // namespace pnsim
