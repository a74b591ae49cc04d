// All figures of a report, made once from the rows of a run.
#pragma once

#include <string>
#include <vector>

#include "experiments/grid.h"
#include "experiments/result_files.h"

namespace pnsim::experiments {

struct ProgramAnalysis {
  std::string program;
  ErrorSummary training, held_out;
  // Steps against time over the size axis: one group a setting of the other axes ("block=64").
  std::vector<std::pair<std::string, Correlation>> over_size;
  Correlation pooled;               // all points of the program
  std::vector<BestChoice> choices;  // one a size; empty without a tuning axis
  BestSummary best;
};

struct Analysis {
  double us_per_step = 0;
  std::size_t training_points = 0;
  ErrorSummary training, held_out;        // of all programs
  std::vector<ProgramAnalysis> programs;  // in the order of the spec
  std::vector<Ranking> rankings;          // one a problem
  RankingAgreement all_ranking, training_ranking, held_out_ranking;
  OverallRanking overall;
  std::vector<std::size_t> worst;  // positions of the points, the largest error first
  std::vector<JudgedCell> grid;

  const JudgedCell* best_cell() const;       // null without a grid
  const JudgedCell* reference_cell() const;  // null when the grid does not hold it
};

// Of a run that was compared.
Analysis analyse(const RunResults& results);

}  // namespace pnsim::experiments
