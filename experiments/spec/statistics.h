// What predicted steps say about measured times: the scale between them, errors, correlations, best
// values and rankings. Pure functions over points; nothing here reads a file.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "experiments/spec/spec.h"

namespace pnsim::experiments {

// A point with what was predicted and what was measured.
struct PointResult {
  SuitePoint point;
  double steps = 0;        // mean over replicas
  double measured_us = 0;  // median of the samples; 0 when it was not compared
  double measured_p05_us = 0;
  double measured_p95_us = 0;
  std::string measured_source;
  double instructions = 0;  // warp instructions of the busiest SM (baselines.h); 0 when not known
};

// Picks points: training, held out, or all.
enum class Subset { kAll, kTraining, kHeldOut };
bool is_in(const PointResult& result, Subset subset);

// Whether every point has its instructions: rows of older runs have not.
bool knows_instructions(std::span<const PointResult> results);

// Microseconds of a step: geometric mean of time / steps over the training points, all programs
// together. Error 2 when there is no training point.
double fit_us_per_step(std::span<const PointResult> results);

// |predicted - measured| / measured.
double error_of(const PointResult& result, double us_per_step);

struct ErrorSummary {
  std::size_t points = 0;
  double mean = 0, median = 0, worst = 0;  // NaN without points
  double p90 = 0;                          // 90th percentile, likewise
};
ErrorSummary summarize(const std::vector<double>& errors);
ErrorSummary summarize_errors(std::span<const PointResult> results, double us_per_step,
                              Subset subset);

struct Correlation {
  std::size_t points = 0;
  double pearson = 0;   // of log steps and log time; NaN for fewer than 3 points
  double spearman = 0;  // of steps and time; NaN likewise
  // Of log size, and of log instructions, with log time: what the steps must beat. NaN likewise,
  // and without instructions.
  double pearson_of_size = std::numeric_limits<double>::quiet_NaN();
  double pearson_of_instructions = std::numeric_limits<double>::quiet_NaN();
};
Correlation correlate(std::span<const PointResult> results);  // without those two
Correlation correlate(std::span<const PointResult> results, const std::string& size_axis);

// Results with equal keys together, groups and members in order of appearance.
struct Group {
  std::string key;
  std::vector<PointResult> results;
};
std::vector<Group> group_by(std::span<const PointResult> results,
                            const std::function<std::string(const PointResult&)>& key);

// Which value of the tuning axis is best, predicted and measured, for one program and one setting
// of the other axes.
struct BestChoice {
  Problem others;                     // the other axes
  std::int64_t predicted_best = 0;    // value of the tuning axis with the fewest steps
  std::int64_t measured_best = 0;     // and with the shortest time; of equals the first
  std::size_t values = 0;             // that were compared
  std::size_t rank_of_predicted = 0;  // of predicted_best by time, from 1
  std::size_t rank_of_measured = 0;   // of measured_best by steps, from 1
  double time_lost = 0;               // time of predicted_best over the shortest time, less 1
};
// `results` are of one program.
std::vector<BestChoice> best_choices(std::span<const PointResult> results,
                                     const std::string& tuning_axis);

struct BestSummary {
  std::size_t groups = 0;
  double mean_rank_of_predicted = 0;
  double mean_rank_of_measured = 0;
  double hit_share = 0;  // of groups in which the predicted best is measured best
  double mean_time_lost = 0;
};
BestSummary summarize(std::span<const BestChoice> choices);  // NaN without any

// Order of the programs at one problem, fastest first.
struct Ranking {
  Problem problem;
  bool is_training = false;
  std::vector<std::string> predicted, measured;
};
// Problems for which every program has a result.
std::vector<Ranking> rank_programs(std::span<const PointResult> results);

struct RankingAgreement {
  std::size_t problems = 0;
  double order_share = 0;  // of problems at which the whole order agrees
  double best_share = 0;   // at which the fastest program agrees
  double pair_share = 0;   // of pairs of programs that are in the same order
};
RankingAgreement agreement(std::span<const Ranking> rankings, Subset subset);

// Programs by the geometric mean of steps (predicted) or times (measured) over all problems.
struct OverallRanking {
  std::vector<std::string> predicted, measured;   // fastest first
  std::vector<double> predicted_us, measured_us;  // geometric means, in those orders
};
OverallRanking rank_overall(std::span<const PointResult> results, double us_per_step);

// Geometric means of predicted / measured at one size, over all other axes.
struct SizeBias {
  std::int64_t size = 0;
  std::vector<double> of_program;  // in the order of `programs`; NaN without points
  double of_all = 0;
};
// A row a size, ascending.
std::vector<SizeBias> bias_by_size(std::span<const PointResult> results,
                                   const std::string& size_axis,
                                   const std::vector<std::string>& programs, double us_per_step);

// Positions of the results, the largest error first (of equals the first first).
std::vector<std::size_t> worst_first(std::span<const PointResult> results, double us_per_step);

}  // namespace pnsim::experiments
