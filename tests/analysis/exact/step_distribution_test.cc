// Tests the exact step distribution by hand and against every order of the enabled transitions.
#include "simulator/analysis/exact/step_distribution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "simulator/base/error.h"
#include "simulator/engine/reference_engine.h"
#include "tests/engine/tiny_net.h"
#include "tests/support/permutation_steps.h"
#include "tests/support/random_net.h"

namespace pnsim {
namespace {

using test::build;
using test::StepProbabilities;

StepProbabilities steps_at(const Net& net, const Marking& marking,
                           std::size_t max_sets = kDefaultMaxSets) {
  StepPlan plan(net);
  plan.examine(marking);
  StepProbabilities out;
  for (const FiredSet& step : step_distribution(net, plan, marking, max_sets)) {
    EXPECT_TRUE(out.emplace(step.fired, step.probability).second) << "a set is listed twice";
  }
  return out;
}

// Formats by names: "a b" -> probability.
std::map<std::string, std::string> first_steps(const Net& net) {
  std::map<std::string, std::string> out;
  for (const auto& [fired, probability] : steps_at(net, net.initial_marking())) {
    std::string names;
    for (const TransitionId t : fired) names += (names.empty() ? "" : " ") + net.name_of(t);
    out[names] = probability.str();
  }
  return out;
}

using Steps = std::map<std::string, std::string>;

TEST(StepDistribution, WithoutConflictEverythingEnabledFires) {
  const Net net =
      build({{{"p", 2}, {"q", 1}}, {{"a", {{"p", 1}}}, {"b", {{"p", 1}}}, {"c", {{"q", 2}}}}});
  EXPECT_EQ(first_steps(net), (Steps{{"a b", "1"}}));
}

TEST(StepDistribution, WithNothingEnabledIsOneEmptyStep) {
  const Net net = build({{{"p", 0}}, {{"a", {{"p", 1}}}}});
  EXPECT_EQ(first_steps(net), (Steps{{"", "1"}}));
}

TEST(StepDistribution, OneTokenGoesToEachTakerAlike) {
  const Net net = build({{{"p", 1}}, {{"a", {{"p", 1}}}, {"b", {{"p", 1}}}, {"c", {{"p", 1}}}}});
  EXPECT_EQ(first_steps(net), (Steps{{"a", "1/3"}, {"b", "1/3"}, {"c", "1/3"}}));
}

TEST(StepDistribution, TwoTokensForThreeTakersLeaveOneOut) {
  const Net net = build({{{"p", 2}}, {{"a", {{"p", 1}}}, {"b", {{"p", 1}}}, {"c", {{"p", 1}}}}});
  EXPECT_EQ(first_steps(net), (Steps{{"a b", "1/3"}, {"a c", "1/3"}, {"b c", "1/3"}}));
}

TEST(StepDistribution, WeightsDecideWhoStillFits) {
  // The transition with the larger weight fires only when it is drawn first (1/3).
  const Net net =
      build({{{"p", 2}}, {{"a", {{"p", 1}}}, {"b", {{"p", 1}}}, {"heavy", {{"p", 2}}}}});
  EXPECT_EQ(first_steps(net), (Steps{{"a b", "2/3"}, {"heavy", "1/3"}}));
}

TEST(StepDistribution, AConflictRunsOverLinkedPlaces) {
  // With b first (1/3), b fires alone. Otherwise a and c both fire, in either order.
  const Net net = build(
      {{{"p", 1}, {"q", 1}}, {{"a", {{"p", 1}}}, {"b", {{"p", 1}, {"q", 1}}}, {"c", {{"q", 1}}}}});
  EXPECT_EQ(first_steps(net), (Steps{{"a c", "2/3"}, {"b", "1/3"}}));
}

TEST(StepDistribution, ConflictsAreIndependentAndFreeTransitionsAlwaysFire) {
  const Net net = build({{{"p", 1}, {"q", 1}, {"r", 1}},
                         {{"a", {{"p", 1}}},
                          {"b", {{"p", 1}}},
                          {"c", {{"q", 1}}},
                          {"d", {{"q", 1}}},
                          {"free", {{"r", 1}}}}});
  EXPECT_EQ(
      first_steps(net),
      (Steps{{"a c free", "1/4"}, {"a d free", "1/4"}, {"b c free", "1/4"}, {"b d free", "1/4"}}));
}

TEST(StepDistribution, InhibitorsLookAtTheMarkingBeforeTheStep) {
  // a empties p, but b remains inhibited by p in this step.
  const Net net = build({{{"p", 1}, {"q", 1}}, {{"a", {{"p", 1}}}, {"b", {{"q", 1}}, {}, {"p"}}}});
  EXPECT_EQ(first_steps(net), (Steps{{"a", "1"}}));
}

// C(18, 9) = 48,620 sets.
Net nine_of_eighteen() {
  test::TinyNet tiny{{{"p", 9}}, {}};
  for (int i = 0; i < 18; ++i) tiny.transitions.push_back({"t" + std::to_string(i), {{"p", 1}}});
  return build(tiny);
}

TEST(StepDistribution, TooManySetsInOneConflictAreALimitThatNamesIt) {
  const Net net = nine_of_eighteen();
  try {
    steps_at(net, net.initial_marking(), 3'000);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kLimit);
    EXPECT_THAT(error.what(), testing::HasSubstr("more than 3000 different sets"));
    EXPECT_THAT(error.what(), testing::HasSubstr("\"t0\""));
  }
}

TEST(StepDistribution, TheSetsOfAllConflictsTogetherAreLimitedToo) {
  test::TinyNet tiny;
  for (int i = 0; i < 4; ++i) {
    const std::string n = std::to_string(i);
    tiny.places.push_back({"p" + n, 1});
    tiny.transitions.push_back({"a" + n, {{"p" + n, 1}}});
    tiny.transitions.push_back({"b" + n, {{"p" + n, 1}}});
  }
  const Net net = build(tiny);
  EXPECT_EQ(steps_at(net, net.initial_marking(), 16).size(), 16u);
  EXPECT_THROW(steps_at(net, net.initial_marking(), 15), Error);
}

// Walks through random nets and compares at every marking with few enough enabled transitions.
struct Comparison {
  int markings = 0;
  int with_conflict = 0;
  int largest_enabled = 0;
};

void compare_along_run(const Net& net, std::uint64_t seed, Comparison& comparison) {
  ReferenceEngine engine(net, {.seed = seed});
  while (!engine.outcome(8)) {
    const std::size_t enabled = engine.plan().enabled().size();
    if (enabled <= 7) {
      ASSERT_EQ(steps_at(net, engine.marking()), test::permutation_steps(net, engine.marking()))
          << net.name() << " at step " << engine.steps();
      ++comparison.markings;
      comparison.with_conflict += engine.plan().conflicts().empty() ? 0 : 1;
      comparison.largest_enabled = std::max(comparison.largest_enabled, static_cast<int>(enabled));
    }
    engine.choose();
    engine.fire();
  }
}

TEST(StepDistribution, IsThatOfARandomPermutationFiredGreedily) {
  Comparison comparison;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto transitions = static_cast<std::uint32_t>(3 + seed % 6);
    const Net net = test::random_net(
        seed,
        {.places = 4, .transitions = transitions, .max_inputs = 3, .flow = test::Flow::kFree});
    compare_along_run(net, seed, comparison);
  }
  EXPECT_GT(comparison.with_conflict, 300);
  EXPECT_GT(comparison.markings, comparison.with_conflict);
  EXPECT_EQ(comparison.largest_enabled, 7);
}

TEST(StepDistribution, ProbabilitiesAddUpToOne) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Net net = test::random_net(seed, {.places = 5, .transitions = 12, .max_inputs = 3});
    Rational sum = 0;
    for (const auto& [fired, p] : steps_at(net, net.initial_marking())) sum += p;
    EXPECT_EQ(sum, 1) << net.name();
  }
}

}  // namespace
}  // namespace pnsim
