// All figures of a report, made once from the rows of a run.
#pragma once

#include <string>
#include <vector>

#include "experiments/run/baselines.h"
#include "experiments/run/grid.h"
#include "experiments/run/result_files.h"

namespace pnsim::experiments {

// Held-out errors of the guesses that the net is compared with.
struct GuessErrors {
  ErrorSummary instructions;  // no points where the rows lack them
  ErrorSummary size;
};

// How the order of the programs that a guess gives agrees with the measured one.
struct Agreements {
  RankingAgreement training, held_out, all;
};

struct ProgramAnalysis {
  std::string program;
  ErrorSummary training, held_out;
  GuessErrors guesses;
  // Steps against time over the size axis: one group a setting of the other axes ("block=64").
  std::vector<std::pair<std::string, Correlation>> over_size;
  Correlation pooled;               // all points of the program
  std::vector<BestChoice> choices;  // one a size; empty without a tuning axis
  BestSummary best;
  std::optional<TuningComparison> tuning;  // nothing without a tuning axis
};

struct Analysis {
  double us_per_step = 0;
  std::size_t training_points = 0;
  ErrorSummary training, held_out;        // of all programs
  GuessErrors guesses;                    // likewise
  std::vector<ProgramAnalysis> programs;  // in the order of the spec
  std::vector<Ranking> rankings;          // one a problem
  RankingAgreement all_ranking, training_ranking, held_out_ranking;
  std::vector<std::string> commonest_order;  // of the training problems, as measured
  Agreements constant;                       // of always guessing it
  Agreements instructions;                   // of the instructions alone; no problems without them
  OverallRanking overall;
  std::vector<SizeBias> bias;      // programs in the order of `programs`
  std::vector<std::size_t> worst;  // positions of the points, the largest error first
  std::vector<JudgedCell> grid;

  const JudgedCell* best_cell() const;       // null without a grid
  const JudgedCell* reference_cell() const;  // null when the grid does not hold it
};

// Of a run that was compared.
Analysis analyse(const RunResults& results);

}  // namespace pnsim::experiments
