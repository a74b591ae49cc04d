#include "experiments/spec/statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "experiments/run/grid.h"
#include "simulator/base/error.h"

namespace pnsim::experiments {
namespace {

using testing::ElementsAre;

PointResult result(const std::string& program, std::int64_t n, std::int64_t block, double steps,
                   double us) {
  return {{program, {{"n", n}, {"block", block}}, is_training_value(n)}, steps, us, us, us, ""};
}

TEST(TimeScale, IsTheGeometricMeanOverTheTrainingPoints) {
  const std::vector<PointResult> results{result("a", 1 << 12, 64, 100, 200),   // 2 us per step
                                         result("b", 1 << 14, 64, 100, 800),   // 8 us per step
                                         result("a", 1 << 13, 64, 100, 1e9)};  // held out
  EXPECT_DOUBLE_EQ(fit_us_per_step(results), 4);
}

TEST(TimeScale, NeedsATrainingPoint) {
  const std::vector<PointResult> results{result("a", 1 << 13, 64, 1, 1)};
  try {
    fit_us_per_step(results);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
  }
}

TEST(Errors, AreRelativeToTheMeasuredTime) {
  EXPECT_DOUBLE_EQ(error_of(result("a", 1, 1, 100, 200), 1), 0.5);
  EXPECT_DOUBLE_EQ(error_of(result("a", 1, 1, 300, 200), 1), 0.5);
}

TEST(Errors, AreSummarizedForEachSubset) {
  const std::vector<PointResult> results{
      result("a", 1 << 12, 64, 110, 100), result("a", 1 << 13, 64, 120, 100),
      result("a", 1 << 15, 64, 140, 100), result("a", 1 << 17, 64, 190, 100)};
  const ErrorSummary training = summarize_errors(results, 1, Subset::kTraining);
  EXPECT_EQ(training.points, 1u);
  EXPECT_NEAR(training.mean, 0.1, 1e-12);
  const ErrorSummary held_out = summarize_errors(results, 1, Subset::kHeldOut);
  EXPECT_EQ(held_out.points, 3u);
  EXPECT_NEAR(held_out.mean, 0.5, 1e-12);
  EXPECT_NEAR(held_out.median, 0.4, 1e-12);
  EXPECT_NEAR(held_out.worst, 0.9, 1e-12);
  EXPECT_EQ(summarize_errors(results, 1, Subset::kAll).points, 4u);
}

TEST(Errors, NoPointsGiveNoNumbers) {
  const ErrorSummary none = summarize_errors({}, 1, Subset::kAll);
  EXPECT_EQ(none.points, 0u);
  EXPECT_TRUE(std::isnan(none.mean));
}

TEST(Correlations, APowerLawHasCorrelationsOfOne) {
  const std::vector<PointResult> results{result("a", 1, 1, 10, 1), result("a", 2, 1, 100, 100),
                                         result("a", 3, 1, 1000, 10000)};
  const Correlation c = correlate(results);
  EXPECT_NEAR(c.pearson, 1, 1e-12);
  EXPECT_NEAR(c.spearman, 1, 1e-12);
}

// Logs 1, 2, 3 against 1, 3, 2: both coefficients are 1/2 by hand.
TEST(Correlations, AreThoseOfHand) {
  const std::vector<PointResult> results{result("a", 1, 1, 10, 10), result("a", 2, 1, 100, 1000),
                                         result("a", 3, 1, 1000, 100)};
  const Correlation c = correlate(results);
  EXPECT_NEAR(c.pearson, 0.5, 1e-12);
  EXPECT_NEAR(c.spearman, 0.5, 1e-12);
}

TEST(Correlations, TwoPointsSayNothing) {
  const std::vector<PointResult> results{result("a", 1, 1, 1, 1), result("a", 2, 1, 2, 2)};
  EXPECT_TRUE(std::isnan(correlate(results).pearson));
  EXPECT_EQ(correlate(results).points, 2u);
}

// The steps are proportional to the times. The logs of the sizes 1, 2, 3 against 1, 3, 2 give 1/2
// by hand; those of the instructions 3, 2, 1 give -1/2.
TEST(Correlations, SizeAndInstructionsStandBesideTheSteps) {
  std::vector<PointResult> results{result("a", 10, 1, 10, 10), result("a", 100, 1, 1000, 1000),
                                   result("a", 1000, 1, 100, 100)};
  EXPECT_TRUE(std::isnan(correlate(results).pearson_of_size));
  EXPECT_TRUE(std::isnan(correlate(results, "n").pearson_of_instructions));
  for (PointResult& r : results) r.instructions = 1e4 / static_cast<double>(r.point.problem["n"]);
  const Correlation c = correlate(results, "n");
  EXPECT_NEAR(c.pearson, 1, 1e-12);
  EXPECT_NEAR(c.pearson_of_size, 0.5, 1e-12);
  EXPECT_NEAR(c.pearson_of_instructions, -0.5, 1e-12);
  results.pop_back();
  EXPECT_TRUE(std::isnan(correlate(results, "n").pearson_of_size));
}

// At n = 10: a is predicted 2 and 8 times too slow (4), b half the time (1/2); all: cbrt(2 * 8 /
// 2).
TEST(Bias, IsTheGeometricMeanOfPredictedOverMeasured) {
  const std::vector<PointResult> results{result("a", 20, 64, 3, 2), result("a", 10, 64, 2, 2),
                                         result("a", 10, 128, 8, 2), result("b", 10, 64, 1, 4)};
  const std::vector<SizeBias> bias = bias_by_size(results, "n", {"b", "a"}, 2);
  ASSERT_EQ(bias.size(), 2u);
  EXPECT_EQ(bias[0].size, 10);
  EXPECT_NEAR(bias[0].of_program[0], 0.5, 1e-12);
  EXPECT_NEAR(bias[0].of_program[1], 4, 1e-12);
  EXPECT_NEAR(bias[0].of_all, 2, 1e-12);
  EXPECT_EQ(bias[1].size, 20);
  EXPECT_TRUE(std::isnan(bias[1].of_program[0]));
  EXPECT_NEAR(bias[1].of_program[1], 3, 1e-12);
}

TEST(BestChoices, RankThePredictedBestByTimeAndTheMeasuredBestBySteps) {
  const std::vector<PointResult> results{
      result("a", 4096, 64, 30, 12), result("a", 4096, 128, 10, 11), result("a", 4096, 256, 20, 10),
      result("a", 8192, 64, 1, 5),   result("a", 8192, 128, 2, 6),   result("a", 8192, 256, 3, 7)};
  const std::vector<BestChoice> choices = best_choices(results, "block");
  ASSERT_EQ(choices.size(), 2u);
  EXPECT_EQ(choices[0].others, (Problem{{"n", 4096}}));
  EXPECT_EQ(choices[0].predicted_best, 128);
  EXPECT_EQ(choices[0].rank_of_predicted, 2u);
  EXPECT_EQ(choices[0].measured_best, 256);
  EXPECT_EQ(choices[0].rank_of_measured, 2u);
  EXPECT_EQ(choices[0].values, 3u);
  EXPECT_NEAR(choices[0].time_lost, 0.1, 1e-12);
  EXPECT_EQ(choices[1].rank_of_predicted, 1u);

  const BestSummary summary = summarize(choices);
  EXPECT_EQ(summary.groups, 2u);
  EXPECT_DOUBLE_EQ(summary.mean_rank_of_predicted, 1.5);
  EXPECT_DOUBLE_EQ(summary.hit_share, 0.5);
  EXPECT_NEAR(summary.mean_time_lost, 0.05, 1e-12);
}

TEST(BestChoices, EqualStepsShareTheBestRank) {
  const std::vector<PointResult> results{result("a", 1, 64, 5, 3), result("a", 1, 128, 5, 2)};
  const BestChoice choice = best_choices(results, "block")[0];
  EXPECT_EQ(choice.predicted_best, 64);    // the first in a tie
  EXPECT_EQ(choice.rank_of_measured, 1u);  // 128 has equally few steps
}

TEST(Rankings, CompareTheOrderOfThePrograms) {
  const std::vector<PointResult> results{result("a", 4096, 64, 1, 1), result("b", 4096, 64, 2, 2),
                                         result("c", 4096, 64, 3, 3), result("a", 8192, 64, 1, 1),
                                         result("b", 8192, 64, 2, 3), result("c", 8192, 64, 3, 2)};
  const std::vector<Ranking> rankings = rank_programs(results);
  ASSERT_EQ(rankings.size(), 2u);
  EXPECT_THAT(rankings[1].predicted, ElementsAre("a", "b", "c"));
  EXPECT_THAT(rankings[1].measured, ElementsAre("a", "c", "b"));
  const RankingAgreement all = agreement(rankings, Subset::kAll);
  EXPECT_EQ(all.problems, 2u);
  EXPECT_DOUBLE_EQ(all.order_share, 0.5);
  EXPECT_DOUBLE_EQ(all.best_share, 1);
  EXPECT_DOUBLE_EQ(all.pair_share, (1 + 2.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(agreement(rankings, Subset::kTraining).order_share, 1);
  EXPECT_DOUBLE_EQ(agreement(rankings, Subset::kHeldOut).order_share, 0);
}

TEST(Rankings, LeaveOutProblemsThatLackAProgram) {
  const std::vector<PointResult> results{result("a", 1, 64, 1, 1), result("b", 1, 64, 2, 2),
                                         result("a", 2, 64, 1, 1)};
  EXPECT_EQ(rank_programs(results).size(), 1u);
}

TEST(Rankings, OverallIsByGeometricMeans) {
  const std::vector<PointResult> results{
      result("a", 1, 64, 1, 100), result("a", 2, 64, 100, 100),  // means 10 steps, 100 us
      result("b", 1, 64, 20, 4), result("b", 2, 64, 20, 9)};     // 20 steps, 6 us
  const OverallRanking overall = rank_overall(results, 2);
  EXPECT_THAT(overall.predicted, ElementsAre("a", "b"));
  EXPECT_THAT(overall.measured, ElementsAre("b", "a"));
  EXPECT_NEAR(overall.predicted_us[0], 20, 1e-9);
  EXPECT_NEAR(overall.measured_us[0], 6, 1e-9);
}

TEST(Worst, PointsComeFirst) {
  const std::vector<PointResult> results{result("a", 1, 64, 11, 10), result("a", 2, 64, 30, 10),
                                         result("a", 3, 64, 1, 10)};
  EXPECT_THAT(worst_first(results, 1), ElementsAre(1, 2, 0));
}

TEST(Groups, KeepTheOrderOfAppearance) {
  const std::vector<PointResult> results{result("b", 1, 64, 1, 1), result("a", 1, 64, 2, 2),
                                         result("b", 2, 64, 3, 3)};
  const auto groups = group_by(results, [](const PointResult& r) { return r.point.program; });
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].key, "b");
  EXPECT_EQ(groups[0].results.size(), 2u);
  EXPECT_EQ(groups[0].results[1].steps, 3);
}

// Two cells: the first fits the training points exactly, the second the held-out ones.
std::vector<GridCell> two_cells() {
  return {{{{"l1", {10}}}, {1, 9, 2, 9}}, {{{"l1", {20}}}, {1, 1, 8, 2}}};
}

std::vector<PointResult> grid_points() {
  return {result("a", 1 << 12, 64, 0, 10), result("a", 1 << 13, 64, 0, 10),
          result("b", 1 << 12, 64, 0, 20), result("b", 1 << 13, 64, 0, 20)};
}

TEST(Grid, EachCellHasItsOwnScale) {
  const std::vector<JudgedCell> cells = judge(grid_points(), two_cells(), {{"l1", {20}}});
  EXPECT_DOUBLE_EQ(cells[0].us_per_step, 10);
  EXPECT_NEAR(cells[0].training.mean, 0, 1e-12);
  EXPECT_DOUBLE_EQ(cells[1].us_per_step, 5);  // of 10 and 2.5
  EXPECT_NEAR(cells[1].training.mean, (0.5 + 1) / 2, 1e-12);
  EXPECT_NEAR(cells[1].held_out.mean, 0.5, 1e-12);
}

TEST(Grid, TheBestIsChosenOnTrainingPointsThoughAnotherIsBetterOnHeldOutOnes) {
  const std::vector<JudgedCell> cells = judge(grid_points(), two_cells(), {{"l1", {20}}});
  EXPECT_TRUE(cells[0].is_best);
  EXPECT_FALSE(cells[1].is_best);
  EXPECT_GT(cells[0].held_out.mean, cells[1].held_out.mean);
}

TEST(Grid, TheReferenceIsMarkedWhenItIsThere) {
  EXPECT_TRUE(judge(grid_points(), two_cells(), {{"l1", {20}}})[1].is_reference);
  for (const JudgedCell& cell : judge(grid_points(), two_cells(), {{"l1", {30}}})) {
    EXPECT_FALSE(cell.is_reference);
  }
}

TEST(Grid, WithoutCellsThereIsNothingToJudge) { EXPECT_TRUE(judge(grid_points(), {}, {}).empty()); }

}  // namespace
}  // namespace pnsim::experiments
