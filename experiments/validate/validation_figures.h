// How well each predictor does, over all points and program by program. Pure functions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiments/spec/statistics.h"
#include "experiments/validate/predictors.h"
#include "experiments/validate/validation.h"

namespace pnsim::experiments {

// A predictor and what it said.
struct Predicted {
  std::string name, about, note;
  bool is_ablation = false;
  std::vector<double> us;  // [point]
};

// |predicted - measured| / measured, point by point.
std::vector<double> errors_of(std::span<const ValidationPoint> points,
                              const std::vector<double>& us);

inline constexpr double kPairDifference = 0.05;  // a pair whose times differ by less tells nothing

// Of two points with the same work() in different configurations whose measured times differ by
// over kPairDifference of the shorter one: is the faster one predicted faster? Equal predictions
// are not right.
struct PairCount {
  std::size_t pairs = 0;
  std::size_t right = 0;
  double share() const;  // NaN without pairs
};

struct PredictorFigures {
  ErrorSummary errors;
  double pearson_log =
      0;  // of predicted and measured; NaN under 3 points or where one side is flat
  PairCount pairs;
};

// Over the points at `chosen`.
PredictorFigures figures_of(std::span<const ValidationPoint> points, const std::vector<double>& us,
                            const std::vector<std::size_t>& chosen);

// Points that are looked at together.
struct FigureGroup {
  std::string name;                 // "matmul_tiled", "matmul_tiled, cold", "all"
  std::vector<std::size_t> points;  // positions
  std::vector<PredictorFigures> of_predictor;
};

// One a program (and mode, where there are several), the largest mean error of the first predictor
// first.
std::vector<FigureGroup> program_figures(const ValidationSet& set,
                                         std::span<const Predicted> predicted);

// One a mode where there are several, then all.
std::vector<FigureGroup> overall_figures(const ValidationSet& set,
                                         std::span<const Predicted> predicted);

// Positions of all points, the largest error first (of equals the first first).
std::vector<std::size_t> largest_first(const std::vector<double>& errors);

}  // namespace pnsim::experiments
