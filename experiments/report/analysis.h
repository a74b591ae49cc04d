// All figures of a report, computed once from the rows of a run.
#pragma once

#include <string>
#include <vector>

#include "experiments/run/baselines.h"
#include "experiments/run/grid.h"
#include "experiments/run/result_files.h"

namespace pnsim::experiments {

// Held-out errors of the two baselines (baselines.h) that the net is compared with.
struct GuessErrors {
  ErrorSummary instructions;  // zero points when the rows have no instruction counts
  ErrorSummary size;
};

// Agreement of a baseline's order of the programs with the measured order.
struct Agreements {
  RankingAgreement training, held_out, all;
};

struct ProgramAnalysis {
  std::string program;
  ErrorSummary training, held_out;
  GuessErrors guesses;
  // Correlation of steps and time over the size axis, one per setting of the other axes
  // ("block=64").
  std::vector<std::pair<std::string, Correlation>> over_size;
  Correlation pooled;               // all points of the program
  std::vector<BestChoice> choices;  // one per size; empty without a tuning axis
  BestSummary best;
  std::optional<TuningComparison> tuning;  // absent without a tuning axis
};

struct Analysis {
  double us_per_step = 0;
  std::size_t training_points = 0;
  ErrorSummary training, held_out;        // over all programs
  GuessErrors guesses;                    // over all programs
  std::vector<ProgramAnalysis> programs;  // in the order of the spec
  std::vector<Ranking> rankings;          // one per problem
  RankingAgreement all_ranking, training_ranking, held_out_ranking;
  std::vector<std::string> commonest_order;  // most frequent measured order of training problems
  Agreements constant;                       // of always predicting that order
  Agreements instructions;                   // of the instruction counts; empty without them
  OverallRanking overall;
  std::vector<SizeBias> bias;      // programs in the order of `programs`
  std::vector<std::size_t> worst;  // positions of the points, the largest error first
  std::vector<JudgedCell> grid;

  const JudgedCell* best_cell() const;       // null without a grid
  const JudgedCell* reference_cell() const;  // null when the grid does not contain it
};

// Analyses a run that has measured times.
Analysis analyse(const RunResults& results);

}  // namespace pnsim::experiments
