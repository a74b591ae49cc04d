// Tests exact expected steps: published facts of the paper's net, and nets computed by hand.
#include "simulator/analysis/exact/exact.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/base/error.h"
#include "simulator/net/net_file.h"
#include "tests/analysis/exact/chain_rows.h"
#include "tests/engine/tiny_net.h"
#include "tests/support/wpnm_net.h"

namespace pnsim {
namespace {

using test::build;
using test::TinyNet;
using test::wpnm_net;

std::string steps_of(const Net& net) {
  const ExactResult result = exact_steps(net);
  EXPECT_TRUE(result.rational);
  return result.expected_steps ? result.expected_steps->fraction.value() : "never";
}

// "goal dead never"
std::string ends_of(const ExactResult& result) {
  return result.goal.fraction.value() + " " + result.dead.fraction.value() + " " +
         result.never.fraction.value();
}

TEST(ExactPaperNet, OneWarpWithOneArithmeticInstruction) {
  EXPECT_EQ(steps_of(wpnm_net({.xa = 1, .xs = 0, .xg = 0, .literal = true})), "7/2");
  EXPECT_EQ(steps_of(wpnm_net({.xa = 1, .xs = 0, .xg = 0})), "5");
}

TEST(ExactPaperNet, ALoneWarpNeedsWhatItsInstructionsTake) {
  // 4 per arithmetic instruction, 5 + l2 per shared access, 5 + l1 per global access, 1 to end.
  EXPECT_EQ(steps_of(wpnm_net({.l1 = 6, .l2 = 3, .xa = 3, .xs = 2, .xg = 2})),
            std::to_string(3 * 4 + 2 * (5 + 3) + 2 * (5 + 6) + 1));
}

TEST(ExactPaperNet, TwoWarpsWithOneInstructionOfEachKind) {
  EXPECT_EQ(steps_of(wpnm_net({.warps = 2, .l1 = 3, .l2 = 1, .literal = true})), "389/18");
  EXPECT_EQ(steps_of(wpnm_net({.warps = 2, .l1 = 3, .l2 = 1})), "917/36");
}

TEST(ExactPaperNet, TwoWarpsWithoutSharedAccesses) {
  const test::WpnmParameters w{.warps = 2, .l1 = 4, .l2 = 1, .xa = 2, .xs = 0, .xg = 1};
  test::WpnmParameters literal = w;
  literal.literal = true;
  EXPECT_EQ(steps_of(wpnm_net(literal)), "307/16");
  EXPECT_EQ(steps_of(wpnm_net(w)), "179/8");
}

TEST(ExactPaperNet, ThreeWarpsOnTwoSchedulers) {
  const test::WpnmParameters w{
      .warps = 3, .schedulers = 2, .l1 = 3, .l2 = 1, .xa = 1, .xs = 0, .xg = 1};
  test::WpnmParameters literal = w;
  literal.literal = true;
  EXPECT_EQ(steps_of(wpnm_net(literal)), "443/32");
  EXPECT_EQ(steps_of(wpnm_net(w)), "123/8");
}

TEST(ExactPaperNet, HasNoCyclesAndEndsAtItsGoal) {
  const ExactResult result = exact_steps(wpnm_net({.warps = 2, .l1 = 3, .l2 = 1}));
  EXPECT_EQ(result.largest_component, 1u);
  EXPECT_EQ(ends_of(result), "1 0 0");
}

struct Vector {
  const char* file;
  std::vector<std::string> goal;
  const char* steps;
  std::size_t markings;
};

class ExactVector : public testing::TestWithParam<Vector> {};

TEST_P(ExactVector, IsReproduced) {
  const Vector& vector = GetParam();
  const LoadedNet loaded =
      load_net_file(std::string(PNSIM_TEST_DATA "/vectors/") + vector.file + ".pnml");
  const Net net = loaded.net.with_goal(parse_goal(loaded.net, vector.goal));
  const ExactResult result = exact_steps(net);
  EXPECT_EQ(result.expected_steps->fraction, vector.steps);
  EXPECT_EQ(result.markings, vector.markings);
}

// Values from tests/data/vectors/expected.json.
INSTANTIATE_TEST_SUITE_P(
    Vectors, ExactVector,
    testing::Values(Vector{"wpnm_2w", {"p1.0=0", "p1.1=0"}, "917/36", 834},
                    Vector{"wpnm_literal_2w", {"p1.0=0", "p1.1=0"}, "389/18", 893},
                    Vector{"random_a", {}, "59563/11664", 72},
                    Vector{"random_b", {}, "203/54", 14}),
    [](const auto& parameter) { return parameter.param.file; });

TEST(ExactByHand, ALineIsAsLongAsItIs) {
  const Net net = build({{{"p", 5}}, {{"a", {{"p", 1}}}}});
  const ExactResult result = exact_steps(net);
  EXPECT_EQ(result.expected_steps->fraction, "5");
  EXPECT_EQ(result.expected_steps->decimal, 5.0);
  EXPECT_EQ(result.expected_steps->error_bound, 0.0);
  EXPECT_EQ(result.markings, 6u);
  EXPECT_EQ(ends_of(result), "0 1 0");
}

TEST(ExactByHand, ACoinThrownUntilHeadsTakesTwoSteps) {
  const Net net = build({{{"p", 1}}, {{"again", {{"p", 1}}, {{"p", 1}}}, {"heads", {{"p", 1}}}}});
  EXPECT_EQ(steps_of(net), "2");
}

TEST(ExactByHand, ADieThrownUntilOneFaceTakesSix) {
  TinyNet die{{{"p", 1}}, {{"face", {{"p", 1}}}}};
  for (const char* other : {"b", "c", "d", "e", "f"}) {
    die.transitions.push_back({other, {{"p", 1}}, {{"p", 1}}});
  }
  EXPECT_EQ(steps_of(build(die)), "6");
}

TEST(ExactByHand, ACycleOfTwoPlaces) {
  // E(a) = 1 + 1/2 E(b), E(b) = 1 + E(a): 3.
  const Net net = build(
      {{{"a", 1}, {"b", 0}},
       {{"go", {{"a", 1}}, {{"b", 1}}}, {"leave", {{"a", 1}}}, {"back", {{"b", 1}}, {{"a", 1}}}}});
  const ExactResult result = exact_steps(net);
  EXPECT_EQ(result.expected_steps->fraction, "3");
  EXPECT_EQ(result.largest_component, 2u);
}

TEST(ExactByHand, ALoopBesideACountdownChangesNothing) {
  const Net net =
      build({{{"p", 4}, {"q", 1}},
             {{"down", {{"p", 1}}}, {"turn", {{"q", 1}, {"p", 1}}, {{"q", 1}, {"p", 1}}}},
             {"p"}});
  // While p > 1 both fire. At p = 1 one of them fires: one more coin toss per step.
  EXPECT_EQ(steps_of(net), "5");
}

TEST(ExactByHand, AGoalThatHoldsAtOnceTakesNoStep) {
  const ExactResult result = exact_steps(
      build({.places = {{"p", 1}, {"g", 0}}, .transitions = {{"a", {{"p", 1}}}}, .goal = {"g"}}));
  EXPECT_EQ(result.expected_steps->fraction, "0");
  EXPECT_EQ(result.markings, 1u);
  EXPECT_EQ(ends_of(result), "1 0 0");
}

TEST(ExactByHand, WithNothingEnabledItIsDeadAtOnce) {
  const ExactResult result = exact_steps(build({{{"p", 1}}, {{"a", {{"p", 2}}}}}));
  EXPECT_EQ(result.expected_steps->fraction, "0");
  EXPECT_EQ(ends_of(result), "0 1 0");
}

TEST(ExactByHand, GoalOrDeadByACoin) {
  const ExactResult result =
      exact_steps(build({.places = {{"s", 1}, {"g", 1}},
                         .transitions = {{"win", {{"s", 1}, {"g", 1}}}, {"lose", {{"s", 1}}}},
                         .goal = {"g"}}));
  EXPECT_EQ(result.expected_steps->fraction, "1");
  EXPECT_EQ(ends_of(result), "1/2 1/2 0");
}

TEST(ExactNever, ALoopWithoutAWayOutHasNoExpectation) {
  const ExactResult result = exact_steps(build({{{"p", 1}}, {{"a", {{"p", 1}}, {{"p", 1}}}}}));
  EXPECT_FALSE(result.expected_steps);
  EXPECT_EQ(ends_of(result), "0 0 1");
  EXPECT_EQ(result.markings, 1u);
}

TEST(ExactNever, AGoalThatCannotHoldIsNeverReached) {
  const ExactResult result = exact_steps(build({.places = {{"p", 1}, {"g", 1}},
                                                .transitions = {{"a", {{"p", 1}}, {{"p", 1}}}},
                                                .goal = {"g"}}));
  EXPECT_FALSE(result.expected_steps);
  EXPECT_EQ(ends_of(result), "0 0 1");
}

TEST(ExactNever, TrapsAreExactBesideGoalAndDead) {
  // A four-sided die: stay, goal, dead, or an endless loop. The last three get a third each.
  const ExactResult result = exact_steps(build({.places = {{"s", 1}, {"g", 1}, {"r", 0}},
                                                .transitions = {{"stay", {{"s", 1}}, {{"s", 1}}},
                                                                {"win", {{"s", 1}, {"g", 1}}},
                                                                {"lose", {{"s", 1}}},
                                                                {"trap", {{"s", 1}}, {{"r", 1}}},
                                                                {"turn", {{"r", 1}}, {{"r", 1}}}},
                                                .goal = {"g"}}));
  EXPECT_FALSE(result.expected_steps);
  EXPECT_TRUE(result.rational);
  EXPECT_EQ(ends_of(result), "1/3 1/3 1/3");
}

// A gambler with k of n tokens tosses a coin per step until none is left; at n the next toss loses.
// The expected number of tosses is k (2n - k).
Net gambler(Tokens k, Tokens n) {
  return build({.places = {{"coin", 1}, {"mine", k}, {"theirs", n - k}},
                .transitions = {{"win", {{"coin", 1}, {"theirs", 1}}, {{"coin", 1}, {"mine", 1}}},
                                {"lose", {{"coin", 1}, {"mine", 1}}, {{"coin", 1}, {"theirs", 1}}}},
                .goal = {"mine"}});
}

TEST(ExactCycles, UpToTwoHundredMarkingsGiveFractions) {
  const ExactResult result = exact_steps(gambler(70, 200));
  EXPECT_EQ(result.largest_component, 200u);
  EXPECT_TRUE(result.rational);
  EXPECT_EQ(result.expected_steps->fraction, std::to_string(70 * (2 * 200 - 70)));
}

TEST(ExactCycles, OverTwoHundredGiveADecimalWithItsBound) {
  const ExactResult result = exact_steps(gambler(70, 201));
  EXPECT_FALSE(result.rational);
  EXPECT_EQ(result.largest_component, 201u);
  EXPECT_EQ(result.markings, 202u);
  EXPECT_THAT(result.why_decimal, testing::HasSubstr("201 markings"));
  ASSERT_TRUE(result.expected_steps);
  EXPECT_FALSE(result.expected_steps->fraction);
  EXPECT_NEAR(result.expected_steps->decimal, 70 * (2 * 201 - 70),
              result.expected_steps->error_bound);
  EXPECT_GT(result.residual, 0.0);
  EXPECT_LT(result.expected_steps->error_bound, 1e-3);
  EXPECT_EQ(ends_of(result), "1 0 0") << "what follows from the shape stays exact";
}

TEST(ExactCycles, DecimalAndFractionAgree) {
  const Net net = gambler(33, 150);
  const ExactResult fraction = exact_steps(net);
  const ExactResult decimal = exact_steps(net, {.limits = {}, .max_rational_component = 100});
  EXPECT_TRUE(fraction.rational);
  EXPECT_FALSE(decimal.rational);
  EXPECT_NEAR(decimal.expected_steps->decimal, fraction.expected_steps->decimal,
              decimal.expected_steps->error_bound);
}

TEST(ExactCycles, DecimalProbabilitiesHaveTheirBoundsToo) {
  const ExactResult result = exact_steps(test::random_component(300, 3, 2).graph());
  EXPECT_FALSE(result.rational);
  EXPECT_NEAR(result.goal.decimal, 2.0 / 3, result.goal.error_bound);
  EXPECT_NEAR(result.dead.decimal, 1.0 / 3, result.dead.error_bound);
  EXPECT_LT(result.dead.error_bound, 1e-9);
  EXPECT_EQ(result.never.fraction, "0");
}

TEST(ExactCycles, DecimalProbabilitiesBesideATrap) {
  // A ring of 300 states. State 0 has three ways out: goal, dead, and a trap.
  test::ChainRows rows(303, true);
  for (std::uint32_t k = 1; k < 300; ++k) rows.add(k, (k + 1) % 300, 1);
  rows.add(0, 1, Rational(1, 2));
  rows.add(0, 300, Rational(1, 4));
  rows.add(300, 300, 1);
  rows.add(0, 301, Rational(1, 8));
  rows.add(0, 302, Rational(1, 8));
  const ExactResult result = exact_steps(rows.graph());
  EXPECT_FALSE(result.rational);
  EXPECT_FALSE(result.expected_steps);
  EXPECT_NEAR(result.goal.decimal, 0.25, result.goal.error_bound);
  EXPECT_NEAR(result.dead.decimal, 0.25, result.dead.error_bound);
  EXPECT_NEAR(result.never.decimal, 0.5, result.never.error_bound);
  EXPECT_GT(result.never.error_bound, 0);
  EXPECT_LT(result.never.error_bound, 1e-9);
}

TEST(ExactGrowth, FractionsWithinTheBoundAreGivenInFull) {
  const ExactResult result = exact_steps(test::one_or_two_up(500).graph());
  ASSERT_TRUE(result.rational);
  EXPECT_GT(result.expected_steps->fraction->size(), 400u);
  EXPECT_NEAR(result.expected_steps->decimal, 375, 0.5);  // 4/3 per step
}

TEST(ExactGrowth, BeyondTheBoundOnTheWorkADecimalIsGiven) {
  const MarkingGraph graph = test::one_or_two_up(500).graph();
  const ExactResult result = exact_steps(
      graph, {.limits = {}, .max_rational_component = 200, .max_rational_work = 1'000'000});
  EXPECT_FALSE(result.rational);
  EXPECT_THAT(result.why_decimal, testing::HasSubstr("fractions grow"));
  EXPECT_NEAR(result.expected_steps->decimal, exact_steps(graph).expected_steps->decimal,
              result.expected_steps->error_bound);
}

TEST(ExactLimit, IsAnErrorFive) {
  try {
    exact_steps(wpnm_net({.warps = 2, .l1 = 3, .l2 = 1}), {.limits = {.max_markings = 100}});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kLimit);
  }
}

}  // namespace
}  // namespace pnsim
