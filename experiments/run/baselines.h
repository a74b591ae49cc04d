// Guesses that know less than the net, for it to be compared with. What they need is chosen or
// fitted on the training points; like the net they are judged on the held-out ones.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/spec/statistics.h"

namespace pnsim::experiments {

// Warp instructions that the busiest SM executes in all launches: those of its waves (waves.h).
double busiest_sm_instructions(const RecordedPoint& point, std::int64_t sms);

// A guess in the place of the net: `results` hold its number for each point as their steps, and
// its scale is fitted as the net's is.
struct Guess {
  std::vector<PointResult> results;
  double scale = 0;
};

// The instructions of the busiest SM alone. Nothing when a point lacks them (rows of older runs).
std::optional<Guess> guess_by_instructions(std::span<const PointResult> results);

// The size alone, whatever the program and the other axes: the geometric mean of the training times
// of that size; between training sizes straight lines over the logarithms, continued beyond.
Guess guess_by_size(std::span<const PointResult> results, const std::string& size_axis);

// The order of the programs that was measured at most training problems; of equally common ones
// the first. Empty without a training problem.
std::vector<std::string> commonest_order(std::span<const Ranking> rankings);

// The same problems with this order predicted at each of them; none for an empty order.
std::vector<Ranking> always(const std::vector<std::string>& order,
                            std::span<const Ranking> rankings);

// Ways of taking a value of the tuning axis, over the held-out sizes of one program.
struct TuningComparison {
  std::int64_t fixed_value = 0;  // least mean time lost at the training sizes; of equals the first
  BestSummary net;
  std::optional<BestSummary> instructions;  // the value with the fewest; nothing without them
  BestSummary fixed;
  BestSummary random;  // of a value drawn at random (mean_rank_of_measured stays 0)
};
// `results` are of one program. Nothing without a training size.
std::optional<TuningComparison> compare_tuning(std::span<const PointResult> results,
                                               const std::string& tuning_axis);

}  // namespace pnsim::experiments
