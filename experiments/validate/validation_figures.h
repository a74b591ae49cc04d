// The accuracy of each predictor, over all points and by program. All are pure functions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiments/spec/statistics.h"
#include "experiments/validate/predictors.h"
#include "experiments/validate/validation.h"

namespace pnsim::experiments {

// A predictor with its predictions.
struct Predicted {
  std::string name, about, note;
  bool is_ablation = false;
  std::vector<double> us;  // [point]
};

// Takes the points that a predictor has no time of (kUnfinished) out of `set` and `predicted`, and
// adds them to `set.skipped`. Throws error 5 where no point is left.
void leave_out_unfinished(ValidationSet& set, std::vector<Predicted>& predicted);

// |predicted - measured| / measured, point by point.
std::vector<double> errors_of(std::span<const ValidationPoint> points,
                              const std::vector<double>& us);

inline constexpr double kPairDifference = 0.05;  // pairs with smaller differences are not counted

// Pairwise ranking accuracy. A pair is two points with the same work() in different configurations
// whose measured times differ by more than kPairDifference of the shorter one. It is ranked
// correctly when the faster point is predicted faster; equal predictions are not correct.
struct PairCount {
  std::size_t pairs = 0;
  std::size_t correct = 0;
  double share() const;  // NaN without pairs
};

// Counts the pair of these two points, unless their measured times differ too little.
void count_pair(double measured_us_a, double predicted_us_a, double measured_us_b,
                double predicted_us_b, PairCount& count);

struct PredictorFigures {
  ErrorSummary errors;
  double pearson_log =
      0;  // of predicted and measured; NaN under 3 points or where one side is flat
  PairCount pairs;
};

// The figures over the points at the positions `chosen`.
PredictorFigures figures_of(std::span<const ValidationPoint> points, const std::vector<double>& us,
                            const std::vector<std::size_t>& chosen);

// Points that are evaluated together.
struct FigureGroup {
  std::string name;                 // "matmul_tiled", "matmul_tiled, cold", "all"
  std::vector<std::size_t> points;  // positions
  std::vector<PredictorFigures> of_predictor;
};

// One group per program (and mode, with several modes), in descending order of the first
// predictor's mean error.
std::vector<FigureGroup> program_figures(const ValidationSet& set,
                                         std::span<const Predicted> predicted);

// One group per mode when there are several, then one of all points.
std::vector<FigureGroup> overall_figures(const ValidationSet& set,
                                         std::span<const Predicted> predicted);

// Positions of all points, the largest error first; ties stay in order.
std::vector<std::size_t> largest_first(const std::vector<double>& errors);

}  // namespace pnsim::experiments
