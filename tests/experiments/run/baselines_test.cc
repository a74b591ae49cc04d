#include "experiments/run/baselines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "simulator/base/error.h"
#include "tests/base/error_of.h"

namespace pnsim::experiments {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

PointResult timed(const std::string& program, std::int64_t n, std::int64_t block, double steps,
                  double us, double instructions = 0) {
  return {{program, {{"n", n}, {"block", block}}, is_training_value(n)},
          steps,
          us,
          us,
          us,
          "",
          instructions};
}

WarpKind kind(std::int64_t warps, InstructionCounts counts) { return {warps, {{1, counts, {}}}}; }

// Blocks of two warps, 4 of them resident.
Launch launch(std::int64_t grid, std::int64_t repeat, std::vector<WarpKind> kinds) {
  Launch out;
  out.kernel = "k";
  out.repeat = repeat;
  out.grid = grid;
  out.block = 64;
  out.resident_blocks = 4;
  out.warp_kinds = std::move(kinds);
  return out;
}

// 10 blocks on 2 SMs: 5 on the busiest SM, a wave of 4 and a tail of 1; 10 warps with 4 + 1
// instructions.
TEST(Instructions, AreThoseOfAllWavesOfTheBusiestSm) {
  EXPECT_EQ(busiest_sm_instructions({{}, {launch(10, 1, {kind(20, {4, 0, 1})})}}, 2), 50);
}

// 12 blocks on one SM: three full waves, no tail; 24 warps of 2 instructions.
TEST(Instructions, FullWavesCountEachOfThem) {
  EXPECT_EQ(busiest_sm_instructions({{}, {launch(12, 1, {kind(24, {1, 1, 0})})}}, 1), 48);
}

// The full wave has 4 warps of 5 and 4 of 9 instructions, the tail one of each kind: 56 + 14.
TEST(Instructions, TwoKindsOfWarpsAreSharedOut) {
  const Launch two = launch(10, 1, {kind(10, {4, 0, 1}), kind(10, {4, 3, 2})});
  EXPECT_EQ(busiest_sm_instructions({{}, {two}}, 2), 70);
}

// 32 * 50, and one block of two warps of 7.
TEST(Instructions, AddUpOverLaunchesAndTheirRepeats) {
  const RecordedPoint point{
      {}, {launch(10, 32, {kind(20, {4, 0, 1})}), launch(1, 1, {kind(2, {7, 0, 0})})}};
  EXPECT_EQ(busiest_sm_instructions(point, 2), 1614);
}

// Ratios of 2 and 8 us per instruction at the training points give a scale of 4; steps are ignored.
TEST(GuessByInstructions, HasAScaleOfItsOwnFromTheTrainingPoints) {
  const std::vector<PointResult> results{timed("a", 1 << 12, 64, 7, 20, 10),
                                         timed("b", 1 << 14, 64, 9, 80, 10),
                                         timed("a", 1 << 13, 64, 5, 100, 20)};
  const std::optional<Guess> guess = guess_by_instructions(results);
  ASSERT_TRUE(guess.has_value());
  EXPECT_DOUBLE_EQ(guess->scale, 4);
  EXPECT_NEAR(summarize_errors(guess->results, guess->scale, Subset::kHeldOut).mean, 0.2, 1e-12);
}

TEST(GuessByInstructions, IsNotMadeWhenAPointLacksThem) {
  const std::vector<PointResult> results{timed("a", 1 << 12, 64, 7, 20, 10),
                                         timed("b", 1 << 14, 64, 9, 80)};
  EXPECT_FALSE(guess_by_instructions(results).has_value());
}

// Training times 2 and 8 at 2^12 (mean 4), 64 at 2^14: 16 between them, 256 beyond, 1 before.
std::vector<PointResult> two_sizes() {
  return {timed("a", 1 << 12, 64, 1, 2),   timed("b", 1 << 12, 128, 1, 8),
          timed("a", 1 << 14, 64, 1, 64),  timed("a", 1 << 13, 64, 1, 1000),
          timed("b", 1 << 15, 128, 1, 10), timed("b", 1 << 11, 64, 1, 10)};
}

std::vector<double> steps_of(const Guess& guess) {
  std::vector<double> out;
  for (const PointResult& r : guess.results) out.push_back(r.steps);
  return out;
}

TEST(GuessBySize, IsAStraightLineOverTheLogarithmsOfTheTrainingTimes) {
  const Guess guess = guess_by_size(two_sizes(), "n");
  const std::vector<double> expected{4, 4, 64, 16, 256, 1};
  EXPECT_THAT(steps_of(guess), testing::Pointwise(testing::DoubleNear(1e-9), expected));
  EXPECT_NEAR(guess.scale, 1, 1e-12);
}

// A bend at 2^14: 4, 64 and 64; each interval has its own slope.
TEST(GuessBySize, UsesTheSlopeOfTheIntervalOfTheSize) {
  std::vector<PointResult> results = two_sizes();
  results.push_back(timed("a", 1 << 16, 64, 1, 64));
  const Guess guess = guess_by_size(results, "n");
  EXPECT_NEAR(guess.results[3].steps, 16, 1e-9);  // 2^13
  EXPECT_NEAR(guess.results[4].steps, 64, 1e-9);  // 2^15
}

TEST(GuessBySize, OneTrainingSizeGivesAConstant) {
  const std::vector<PointResult> results{timed("a", 1 << 12, 64, 1, 9),
                                         timed("a", 1 << 13, 64, 1, 1)};
  EXPECT_NEAR(guess_by_size(results, "n").results[1].steps, 9, 1e-9);
}

TEST(GuessBySize, NeedsATrainingPoint) {
  const std::vector<PointResult> results{timed("a", 1 << 13, 64, 1, 1)};
  EXPECT_THAT(test::error_of(ExitCode::kUsage, [&] { guess_by_size(results, "n"); }),
              testing::HasSubstr("no point to fit"));
}

Ranking measured(bool is_training, const std::vector<std::string>& order) {
  return {{}, is_training, {"c", "b", "a"}, order};
}

// b < a < c twice at training problems; a < b < c more often, but held out.
std::vector<Ranking> orders() {
  return {measured(true, {"a", "b", "c"}),  measured(true, {"b", "a", "c"}),
          measured(true, {"b", "a", "c"}),  measured(false, {"a", "b", "c"}),
          measured(false, {"a", "b", "c"}), measured(false, {"b", "a", "c"})};
}

TEST(CommonestOrder, IsThatOfTheTrainingProblems) {
  EXPECT_THAT(commonest_order(orders()), ElementsAre("b", "a", "c"));
}

TEST(CommonestOrder, EqualsKeepTheFirst) {
  const std::vector<Ranking> rankings{measured(true, {"a", "b"}), measured(true, {"b", "a"})};
  EXPECT_THAT(commonest_order(rankings), ElementsAre("a", "b"));
}

TEST(CommonestOrder, WithoutTrainingProblemsIsNone) {
  const std::vector<Ranking> rankings{measured(false, {"a", "b"})};
  EXPECT_THAT(commonest_order(rankings), IsEmpty());
  EXPECT_THAT(always({}, rankings), IsEmpty());
}

// Held out: the order agrees at one of three problems. At the others two of three pairs agree, and
// b is fastest at one.
TEST(ConstantOrder, IsJudgedAsTheNetIs) {
  const std::vector<Ranking> constant = always(commonest_order(orders()), orders());
  const RankingAgreement held_out = agreement(constant, Subset::kHeldOut);
  EXPECT_EQ(held_out.problems, 3u);
  EXPECT_NEAR(held_out.order_share, 1.0 / 3, 1e-12);
  EXPECT_NEAR(held_out.best_share, 1.0 / 3, 1e-12);
  EXPECT_NEAR(held_out.pair_share, (1 + 2.0 / 3 + 2.0 / 3) / 3, 1e-12);
  EXPECT_NEAR(agreement(constant, Subset::kTraining).order_share, 2.0 / 3, 1e-12);
}

// Time lost by 64 / 128 / 256 at the training sizes: 0.5, 0, 0.1 and 0, 0.2, 0.2: means 0.25,
// 0.1, 0.15. At the held-out size it is 0, 1, 0.25; the net takes 256 there.
std::vector<PointResult> three_blocks() {
  return {timed("a", 1 << 12, 64, 1, 15),   timed("a", 1 << 12, 128, 2, 10),
          timed("a", 1 << 12, 256, 3, 11),  timed("a", 1 << 14, 64, 1, 100),
          timed("a", 1 << 14, 128, 2, 120), timed("a", 1 << 14, 256, 3, 120),
          timed("a", 1 << 13, 64, 3, 4),    timed("a", 1 << 13, 128, 2, 8),
          timed("a", 1 << 13, 256, 1, 5)};
}

TEST(Tuning, TheFixedValueIsChosenAtTheTrainingSizesAndJudgedAtTheOthers) {
  const auto tuning = compare_tuning(three_blocks(), "block");
  ASSERT_TRUE(tuning.has_value());
  EXPECT_EQ(tuning->fixed_value, 128);
  EXPECT_EQ(tuning->fixed.groups, 1u);
  EXPECT_DOUBLE_EQ(tuning->fixed.mean_rank_of_predicted, 3);
  EXPECT_DOUBLE_EQ(tuning->fixed.hit_share, 0);
  EXPECT_DOUBLE_EQ(tuning->fixed.mean_time_lost, 1);
}

// 128 has the fewest instructions at every size, so it loses as much at the held-out size.
TEST(Tuning, TheFewestInstructionsAreOneWayToChoose) {
  std::vector<PointResult> results = three_blocks();
  EXPECT_FALSE(compare_tuning(results, "block")->instructions.has_value());
  for (PointResult& r : results) r.instructions = r.point.problem.at("block") == 128 ? 5 : 6;
  const auto tuning = compare_tuning(results, "block");
  ASSERT_TRUE(tuning->instructions.has_value());
  EXPECT_DOUBLE_EQ(tuning->instructions->mean_rank_of_predicted, 3);
  EXPECT_DOUBLE_EQ(tuning->instructions->mean_time_lost, 1);
}

TEST(Tuning, TheNetIsJudgedAtTheSameSizes) {
  const auto tuning = compare_tuning(three_blocks(), "block");
  EXPECT_EQ(tuning->net.groups, 1u);
  EXPECT_DOUBLE_EQ(tuning->net.mean_rank_of_predicted, 2);
  EXPECT_DOUBLE_EQ(tuning->net.mean_time_lost, 0.25);
}

TEST(Tuning, ARandomValueLosesTheMeanOfAll) {
  const auto tuning = compare_tuning(three_blocks(), "block");
  EXPECT_EQ(tuning->random.groups, 1u);
  EXPECT_NEAR(tuning->random.mean_rank_of_predicted, 2, 1e-12);
  EXPECT_NEAR(tuning->random.hit_share, 1.0 / 3, 1e-12);
  EXPECT_NEAR(tuning->random.mean_time_lost, 1.25 / 3, 1e-12);
}

TEST(Tuning, WithoutTrainingSizesChoosesNothing) {
  EXPECT_FALSE(compare_tuning(std::vector{timed("a", 1 << 13, 64, 1, 1)}, "block").has_value());
}

TEST(Tuning, WithoutHeldOutSizesJudgesNothing) {
  const auto tuning = compare_tuning(std::vector{timed("a", 1 << 12, 64, 1, 1)}, "block");
  ASSERT_TRUE(tuning.has_value());
  EXPECT_EQ(tuning->fixed_value, 64);
  EXPECT_EQ(tuning->net.groups, 0u);
  EXPECT_TRUE(std::isnan(tuning->fixed.mean_time_lost));
}

}  // namespace
}  // namespace pnsim::experiments
