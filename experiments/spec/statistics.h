// Statistics of predicted steps and measured times: the scale between them, errors, correlations,
// best values and rankings. All are pure functions over points; no file is read.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "experiments/spec/spec.h"

namespace pnsim::experiments {

// A point with its prediction and its measurement.
struct PointResult {
  SuitePoint point;
  double steps = 0;        // mean over replicas
  double measured_us = 0;  // median of the samples; 0 when there is no measurement
  double measured_p05_us = 0;
  double measured_p95_us = 0;
  std::string measured_source;
  double instructions = 0;  // warp instructions of the busiest SM (baselines.h); 0 when unknown
};

// Selects training points, held-out points, or all points.
enum class Subset { kAll, kTraining, kHeldOut };
bool is_in(const PointResult& result, Subset subset);

// Whether every point has its instruction count; rows of older runs lack it.
bool knows_instructions(std::span<const PointResult> results);

// Microseconds per step: the geometric mean of time / steps over the training points of all
// programs. Throws error 2 when there is no training point.
double fit_us_per_step(std::span<const PointResult> results);

// |predicted - measured| / measured.
double error_of(const PointResult& result, double us_per_step);

struct ErrorSummary {
  std::size_t points = 0;
  double mean = 0, median = 0, worst = 0;  // NaN without points
  double p90 = 0;                          // 90th percentile; NaN without points
};
ErrorSummary summarize(const std::vector<double>& errors);
ErrorSummary summarize_errors(std::span<const PointResult> results, double us_per_step,
                              Subset subset);

struct Correlation {
  std::size_t points = 0;
  double pearson = 0;   // of log steps and log time; NaN for fewer than 3 points
  double spearman = 0;  // of steps and time; NaN for fewer than 3 points
  // Baselines for the steps: the correlation of log size, and of log instructions, with log time.
  // NaN for fewer than 3 points or without instruction counts.
  double pearson_of_size = std::numeric_limits<double>::quiet_NaN();
  double pearson_of_instructions = std::numeric_limits<double>::quiet_NaN();
};
Correlation correlate(std::span<const PointResult> results);  // without the two baselines
Correlation correlate(std::span<const PointResult> results, const std::string& size_axis);

// Results with equal keys. Groups and their members are in order of appearance.
struct Group {
  std::string key;
  std::vector<PointResult> results;
};
std::vector<Group> group_by(std::span<const PointResult> results,
                            const std::function<std::string(const PointResult&)>& key);

// The predicted and the measured best value of the tuning axis, for one program and one setting of
// the other axes.
struct BestChoice {
  Problem others;                     // the other axes
  std::int64_t predicted_best = 0;    // value of the tuning axis with the fewest steps
  std::int64_t measured_best = 0;     // value with the shortest time; both: the first in a tie
  std::size_t values = 0;             // number of values compared
  std::size_t rank_of_predicted = 0;  // rank of predicted_best by time, from 1
  std::size_t rank_of_measured = 0;   // rank of measured_best by steps, from 1
  double time_lost = 0;               // time of predicted_best / shortest time - 1
};
// `results` must be of one program.
std::vector<BestChoice> best_choices(std::span<const PointResult> results,
                                     const std::string& tuning_axis);

struct BestSummary {
  std::size_t groups = 0;
  double mean_rank_of_predicted = 0;
  double mean_rank_of_measured = 0;
  double hit_share = 0;  // share of groups whose predicted best value is the measured best
  double mean_time_lost = 0;
};
BestSummary summarize(std::span<const BestChoice> choices);  // NaN for an empty list

// The order of the programs at one problem, fastest first.
struct Ranking {
  Problem problem;
  bool is_training = false;
  std::vector<std::string> predicted, measured;
};
// The problems for which every program has a result.
std::vector<Ranking> rank_programs(std::span<const PointResult> results);

struct RankingAgreement {
  std::size_t problems = 0;
  double order_share = 0;  // share of problems with the complete order predicted correctly
  double best_share = 0;   // share of problems with the fastest program predicted correctly
  double pair_share = 0;   // pairwise ranking accuracy: pairs of programs ranked correctly
};
RankingAgreement agreement(std::span<const Ranking> rankings, Subset subset);

// Programs by the geometric mean of steps (predicted) or times (measured) over all problems.
struct OverallRanking {
  std::vector<std::string> predicted, measured;   // fastest first
  std::vector<double> predicted_us, measured_us;  // geometric means, in these orders
};
OverallRanking rank_overall(std::span<const PointResult> results, double us_per_step);

// Geometric means of predicted / measured at one size, over all other axes.
struct SizeBias {
  std::int64_t size = 0;
  std::vector<double> of_program;  // in the order of `programs`; NaN without points
  double of_all = 0;
};
// One row per size, ascending.
std::vector<SizeBias> bias_by_size(std::span<const PointResult> results,
                                   const std::string& size_axis,
                                   const std::vector<std::string>& programs, double us_per_step);

// Positions of the results, the largest error first; ties stay in order.
std::vector<std::size_t> worst_first(std::span<const PointResult> results, double us_per_step);

}  // namespace pnsim::experiments
