// Whole runs computed by hand: when and why a run ends, which tokens a step may use, and the
// counts.
#include "simulator/engine/reference_engine.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/engine/run.h"
#include "tests/engine/tiny_net.h"
#include "tests/support/wpnm_net.h"

namespace pnsim {
namespace {

using test::build;
using test::names_of;
using Names = std::vector<std::string>;
using Steps = std::vector<Names>;  // the firing transitions of each step, sorted

Steps steps_of(const Net& net, RunId id, std::uint64_t max_steps) {
  ReferenceEngine engine(net, id);
  Steps steps;
  while (!engine.outcome(max_steps)) {
    steps.push_back(names_of(net, engine.choose()));
    std::sort(steps.back().begin(), steps.back().end());
    engine.fire();
  }
  return steps;
}

// For a -> b one firing is possible, then the net is dead and a is empty.
const test::TinyNet kOneShot{{{"a", 1}, {"b", 0}}, {{"t", {{"a", 1}}, {{"b", 1}}}}};
const test::TinyNet kClock{{{"a", 1}, {"b", 0}}, {{"tick", {{"a", 1}}, {{"a", 1}, {"b", 1}}}}};

test::TinyNet with_goal(test::TinyNet net, std::vector<std::string> goal) {
  net.goal = std::move(goal);
  return net;
}

TEST(Outcome, GoalComesBeforeDeadAndDeadBeforeLimit) {
  const auto outcome = [](const test::TinyNet& tiny, std::uint64_t max_steps) {
    const Net net = build(tiny);
    return ReferenceEngine(net, {}).outcome(max_steps);
  };
  const test::TinyNet dead{{{"a", 0}, {"b", 1}}, {{"t", {{"a", 1}}}}};
  EXPECT_EQ(outcome(with_goal(dead, {"a"}), 0), Outcome::kGoal);
  EXPECT_EQ(outcome(with_goal(dead, {"b"}), 0), Outcome::kDead);
  EXPECT_EQ(outcome(dead, 0), Outcome::kDead);  // an empty goal never holds
  EXPECT_EQ(outcome(kOneShot, 0), Outcome::kLimit);
  EXPECT_EQ(outcome(with_goal(kOneShot, {"b"}), 0), Outcome::kGoal);
  EXPECT_EQ(outcome(kOneShot, 1), std::nullopt);
}

TEST(Outcome, AGoalThatHoldsAtOnceTakesNoStep) {
  const RunResult result = run_reference(build(with_goal(kClock, {"b"})), {});
  EXPECT_EQ(result.outcome, Outcome::kGoal);
  EXPECT_EQ(result.steps, 0u);
  EXPECT_EQ(result.firings, 0u);
  EXPECT_EQ(result.final_marking, (Marking{1, 0}));
}

TEST(Outcome, AGoalThatNeverHoldsEndsAtTheLimitOrDead) {
  const RunResult limit = run_reference(build(with_goal(kClock, {"a"})), {}, 30);
  EXPECT_EQ(limit.outcome, Outcome::kLimit);
  EXPECT_EQ(limit.steps, 30u);
  const test::TinyNet fills{{{"a", 2}, {"b", 1}}, {{"t", {{"a", 1}}, {{"b", 1}}}}};
  const RunResult dead = run_reference(build(with_goal(fills, {"b"})), {}, 30);
  EXPECT_EQ(dead.outcome, Outcome::kDead);
  EXPECT_EQ(dead.steps, 2u);
}

TEST(Outcome, TheGoalNeedsEachOfItsPlacesEmpty) {
  const test::TinyNet two{{{"a", 1}, {"b", 3}}, {{"t", {{"a", 1}}}, {"u", {{"b", 1}}}}};
  EXPECT_EQ(run_reference(build(with_goal(two, {"a"})), {}).steps, 1u);
  const RunResult both = run_reference(build(with_goal(two, {"a", "b"})), {});
  EXPECT_EQ(both.outcome, Outcome::kGoal);
  EXPECT_EQ(both.steps, 3u);
}

TEST(Outcome, TheGoalReachedInTheLastAllowedStepIsTheGoal) {
  const Net net = build(with_goal(kOneShot, {"a"}));
  EXPECT_EQ(run_reference(net, {}, 1).outcome, Outcome::kGoal);
}

TEST(Outcome, HasAName) {
  EXPECT_EQ(outcome_name(Outcome::kGoal), "goal");
  EXPECT_EQ(outcome_name(Outcome::kDead), "dead");
  EXPECT_EQ(outcome_name(Outcome::kLimit), "limit");
  EXPECT_LT(Outcome::kLimit, Outcome::kDead);
  EXPECT_LT(Outcome::kDead, Outcome::kGoal);
}

TEST(Step, TokensProducedInItCannotBeUsedInIt) {
  const Net net = build({{{"a", 1}, {"b", 0}, {"c", 0}},
                         {{"t", {{"a", 1}}, {{"b", 1}}}, {"u", {{"b", 1}}, {{"c", 1}}}}});
  EXPECT_EQ(steps_of(net, {}, 100), (Steps{{"t"}, {"u"}}));
}

TEST(Step, FiresATransitionAtMostOnce) {
  const Net net = build({{{"a", 20}, {"b", 0}}, {{"t", {{"a", 1}}, {{"b", 1}}}}});
  const RunResult result = run_reference(net, {});
  EXPECT_EQ(result.steps, 20u);
  EXPECT_EQ(result.firings, 20u);
  EXPECT_EQ(result.final_marking, (Marking{0, 20}));
}

TEST(Step, FiresAllThatHaveEnoughTogether) {
  const Net net = build({{{"a", 3}}, {{"t", {{"a", 2}}}, {"u", {{"a", 1}}}}});
  EXPECT_EQ(steps_of(net, {}, 100), (Steps{Names{"t", "u"}}));
}

TEST(Step, LooksAtInhibitorsBeforeItOnly) {
  // Transition t fills b while u, which b inhibits, still fires. In the next step v empties b, and
  // u has to wait for the step after it.
  const Net net =
      build({{{"a", 1}, {"b", 0}, {"c", 2}},
             {{"t", {{"a", 1}}, {{"b", 1}}}, {"u", {{"c", 1}}, {}, {"b"}}, {"v", {{"b", 1}}}}});
  EXPECT_EQ(steps_of(net, {}, 100), (Steps{{"t", "u"}, {"v"}, {"u"}}));
}

TEST(Step, ASelfLoopKeepsItsTokenAndExcludesOthersMeanwhile) {
  const Net net = build({{{"a", 1}, {"b", 0}},
                         {{"loop", {{"a", 1}}, {{"a", 1}}}, {"leave", {{"a", 1}}, {{"b", 1}}}}});
  const auto steps = steps_of(net, {.seed = 1}, 1000);
  for (const auto& step : steps) EXPECT_EQ(step.size(), 1u);
  EXPECT_EQ(steps.back(), Names{"leave"});
}

TEST(Step, ReturnsWeightsAsTheArcsSay) {
  const Net net = build({{{"a", 5}, {"b", 0}}, {{"t", {{"a", 5}}, {{"a", 2}, {"b", 7}}}}});
  EXPECT_EQ(run_reference(net, {}).final_marking, (Marking{2, 7}));
}

TEST(Run, IsAPureFunctionOfSeedReplicaAndStream) {
  const Net net =
      test::wpnm_net({.warps = 6, .schedulers = 2, .l1 = 3, .l2 = 1, .xa = 4, .xs = 3, .xg = 2});
  const RunId id{.seed = 6, .replica = 2, .stream = 1};
  const auto run = steps_of(net, id, 100'000);
  EXPECT_EQ(steps_of(net, id, 100'000), run);
  for (const RunId& other : {RunId{7, 2, 1}, RunId{6, 3, 1}, RunId{6, 2, 0},
                             RunId{6 + (std::uint64_t{1} << 32), 2, 1}}) {
    EXPECT_NE(steps_of(net, other, 100'000), run);
  }
}

TEST(Run, ARunOfFewerStepsIsTheBeginningOfALongerOne) {
  const Net net = test::wpnm_net({.warps = 3, .schedulers = 1, .l1 = 3, .l2 = 1});
  const auto whole = steps_of(net, {}, 100'000);
  ASSERT_GT(whole.size(), 20u);
  EXPECT_EQ(steps_of(net, {}, 20), Steps(whole.begin(), whole.begin() + 20));
}

TEST(Overflow, APlaceOverItsLimitIsExitCode5NamingThePlace) {
  const Net net = build({{{"a", 2}, {"full", kMaxTokens - 1}}, {{"t", {{"a", 1}}, {{"full", 1}}}}});
  ReferenceEngine engine(net, {});
  ASSERT_EQ(engine.outcome(10), std::nullopt);
  engine.choose();
  engine.fire();
  EXPECT_EQ(engine.marking()[1], kMaxTokens);  // 2^62 itself is allowed
  ASSERT_EQ(engine.outcome(10), std::nullopt);
  engine.choose();
  try {
    engine.fire();
    FAIL() << "2^62 + 1 tokens";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kLimit);
    EXPECT_NE(std::string(error.what()).find("\"full\""), std::string::npos) << error.what();
  }
}

TEST(Overflow, IsOfWhatIsLeftPlusAllThatIsGiven) {
  // A firing removes tokens before it adds them: a full place with a self-loop does not overflow.
  const Net loop = build({{{"a", kMaxTokens}}, {{"t", {{"a", 5}}, {{"a", 5}}}}});
  EXPECT_EQ(run_reference(loop, {}, 3).final_marking[0], kMaxTokens);
  // Each of the two firings alone would fit.
  const Net both = build({{{"a", 1}, {"b", 1}, {"c", 0}},
                          {{"t", {{"a", 1}}, {{"c", kMaxTokens}}}, {"u", {{"b", 1}}, {{"c", 1}}}}});
  EXPECT_THROW(run_reference(both, {}), Error);
}

// Pool p of 3 schedulers. `wait` takes one and returns it while w is empty; `use` takes 2 and
// returns them in the next step.
const test::TinyNet kPool{{{"p", 3}, {"w", 1}, {"busy", 0}},
                          {{"wait", {{"p", 1}}, {{"p", 1}}, {"w"}},
                           {"use", {{"p", 2}, {"w", 1}}, {{"busy", 1}}},
                           {"done", {{"busy", 1}}, {{"p", 2}}}},
                          {},
                          {"wait"},
                          "p"};

TEST(Counter, WaitingAndIdleStepsByHand) {
  // step 0: M(p) = 3, use takes 2: 1 idle.             p = 1
  // step 1: M(p) = 1, wait (counts, takes nothing): 1. done. p = 3
  // step 2: M(p) = 3, wait: 3 idle.
  const Net net = build(kPool);
  const auto after = [&](std::uint64_t steps) { return run_reference(net, {}, steps); };
  EXPECT_EQ(after(0).waiting_steps, 0u);
  EXPECT_EQ(after(0).idle_scheduler_steps, 0u);
  EXPECT_EQ(after(1).waiting_steps, 0u);
  EXPECT_EQ(after(1).idle_scheduler_steps, 1u);
  EXPECT_EQ(after(2).waiting_steps, 1u);
  EXPECT_EQ(after(2).idle_scheduler_steps, 2u);
  EXPECT_EQ(after(3).waiting_steps, 2u);
  EXPECT_EQ(after(3).idle_scheduler_steps, 5u);
  EXPECT_EQ(after(3).firings, 4u);  // use; wait, done; wait
}

TEST(Counter, CountsNothingThatTheNetDoesNotDeclare) {
  test::TinyNet bare = kPool;
  bare.waiting.clear();
  bare.pool.clear();
  const RunResult none = run_reference(build(bare), {}, 3);
  EXPECT_EQ(none.waiting_steps, std::nullopt);
  EXPECT_EQ(none.idle_scheduler_steps, std::nullopt);
  // Without `waiting`, the tokens that wait takes from the pool count like all others.
  bare.pool = "p";
  const RunResult pool_only = run_reference(build(bare), {}, 3);
  EXPECT_EQ(pool_only.waiting_steps, std::nullopt);
  EXPECT_EQ(pool_only.idle_scheduler_steps, 1u + 0u + 2u);
}

TEST(Counter, IdleStepsThatOverflowAreExitCode5) {
  test::TinyNet huge = kClock;
  huge.places.push_back({"pool", kMaxTokens});
  huge.pool = "pool";
  const Net net = build(huge);
  EXPECT_EQ(run_reference(net, {}, 2).idle_scheduler_steps, std::uint64_t{1} << 63);
  try {
    run_reference(net, {}, 3);
    FAIL() << "over 2^63";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kLimit);
  }
}

TEST(Run, KeepsItsIdInTheResult) {
  const RunResult result = run_reference(build(kOneShot), {.seed = 9, .replica = 8, .stream = 7});
  EXPECT_EQ(result.id.seed, 9u);
  EXPECT_EQ(result.id.replica, 8u);
  EXPECT_EQ(result.id.stream, 7u);
}

TEST(ReferenceEngineBounds, ANetWithoutPlacesFiresAllItHas) {
  const Net net = build({.places = {}, .transitions = {{"t"}, {"u"}}});
  const RunResult run = run_reference(net, {}, 3);
  EXPECT_EQ(run.outcome, Outcome::kLimit);
  EXPECT_EQ(run.firings, 6u);
}

// A single warp needs 4 steps per arithmetic instruction, 5 + l2 per shared access, 5 + l1 per
// global access and 1 to end. The net here is written from the paper's table, without the template.
TEST(WarpNet, ALoneWarpTakesTheStepsOfThePaper) {
  for (const Tokens l1 : {1, 5, 20}) {
    for (const Tokens l2 : {1, 2, 7}) {
      const auto steps = [&](Tokens xa, Tokens xs, Tokens xg) {
        const Net net =
            test::wpnm_net({.warps = 1, .l1 = l1, .l2 = l2, .xa = xa, .xs = xs, .xg = xg});
        return static_cast<Tokens>(run_reference(net, {}).steps);
      };
      EXPECT_EQ(steps(0, 0, 0), 1);
      EXPECT_EQ(steps(3, 0, 0), 3 * 4 + 1);
      EXPECT_EQ(steps(0, 2, 0), 2 * (5 + l2) + 1);
      EXPECT_EQ(steps(0, 0, 2), 2 * (5 + l1) + 1);
      EXPECT_EQ(steps(3, 2, 4), 3 * 4 + 2 * (5 + l2) + 4 * (5 + l1) + 1);
    }
  }
}

}  // namespace
}  // namespace pnsim
