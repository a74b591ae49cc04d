// A grid over parameters of the net. Every cell has its own scale and is judged on held-out points.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "experiments/spec/statistics.h"

namespace pnsim::experiments {

// The predicted steps for one setting of the net's parameters, in the order of the points.
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
  bool is_best = false;       // least mean error on the training points; the first in a tie
  bool is_reference = false;  // the spec's reference parameters
};

// `results` give the points and measured times; the steps of each cell replace their steps.
std::vector<JudgedCell> judge(std::span<const PointResult> results, std::span<const GridCell> cells,
                              const ParameterValues& reference);

}  // namespace pnsim::experiments
