// The grid over parameters of the net: every cell with a scale of its own, judged on held-out
// points.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "experiments/spec/statistics.h"

namespace pnsim::experiments {

// Predicted steps of one setting of the net's parameters, [point] in the order of the points.
struct GridCell {
  ParameterValues parameters;
  std::vector<double> steps;
};

struct JudgedCell {
  ParameterValues parameters;
  double us_per_step = 0;  // fitted on this cell's training points
  ErrorSummary training, held_out;
  RankingAgreement held_out_ranking;
  Correlation correlation;    // all programs and points pooled
  bool is_best = false;       // least mean error on the training points; of equals the first
  bool is_reference = false;  // the spec's reference parameters
};

// `results` give the points and their measured times; each cell's steps take the place of theirs.
std::vector<JudgedCell> judge(std::span<const PointResult> results, std::span<const GridCell> cells,
                              const ParameterValues& reference);

}  // namespace pnsim::experiments
