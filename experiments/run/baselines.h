// Baselines that know less than the net, for comparison. Their parameters are chosen or fitted on
// the training points. They are judged on the held-out points, as the net is.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/spec/statistics.h"

namespace pnsim::experiments {

// Warp instructions that the busiest SM executes in all launches, over its waves (waves.h).
double busiest_sm_instructions(const RecordedPoint& point, std::int64_t sms);

// The result of a baseline. `results` hold its number for each point in place of the steps; its
// scale is fitted as for the net.
struct Guess {
  std::vector<PointResult> results;
  double scale = 0;
};

// Predicts from the instruction count of the busiest SM. Nothing when a point lacks the count (rows
// of older runs).
std::optional<Guess> guess_by_instructions(std::span<const PointResult> results);

// Predicts from the size alone, for all programs and other axes: the geometric mean of the training
// times of that size. Between and beyond training sizes it uses straight lines in log-log
// coordinates.
Guess guess_by_size(std::span<const PointResult> results, const std::string& size_axis);

// The most frequent measured order of the programs over the training problems; the first one in a
// tie. Empty without a training problem.
std::vector<std::string> commonest_order(std::span<const Ranking> rankings);

// The same problems with this predicted order for each. Nothing for an empty order.
std::vector<Ranking> always(const std::vector<std::string>& order,
                            std::span<const Ranking> rankings);

// Strategies for choosing the value of the tuning axis, over the held-out sizes of one program.
struct TuningComparison {
  std::int64_t fixed_value = 0;  // least mean time lost at the training sizes; first in a tie
  BestSummary net;
  std::optional<BestSummary> instructions;  // the value with the fewest; absent without counts
  BestSummary fixed;
  BestSummary random;  // expectation for a random value (mean_rank_of_measured stays 0)
};
// `results` must be of one program. Nothing without a training size.
std::optional<TuningComparison> compare_tuning(std::span<const PointResult> results,
                                               const std::string& tuning_axis);

}  // namespace pnsim::experiments
