// Configurations of one program in the order of their predicted times, judged on recorded times.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulator/analysis/predict/prediction_warnings.h"
#include "simulator/base/json.h"
#include "simulator/engine/run_result.h"

namespace pnsim {

struct RankedRow {
  std::string configuration;  // "block=256", or the name of a file
  std::optional<double> us;   // predicted; nothing where not every run came to its end
  std::optional<double> measured_us;
  std::string how_sure;  // "recorded", "profiled" (a model of `pnsim derive`), or what a what-if
                         // rests on; and whether the device is known
  Outcome outcome = Outcome::kGoal;
  PredictionWarnings warnings = {};
};

struct NotPredicted {
  std::string configuration;
  std::string why;  // "a block of 2048 threads ... does not fit on an SM of h200"
};

struct Ranking {
  std::string what;  // "radix_shared (n=1048576), NVIDIA H200", or the folder
  std::string net, mode;
  std::vector<RankedRow> rows;  // the shortest predicted time first, rows without a time last
  std::vector<NotPredicted> not_predicted = {};
};

// Sorts by predicted time; rows of equal time, and without one, keep their order.
void sort_rows(Ranking& ranking);

// [k - 1] the share of the best speed that is kept by measuring only the first k: the shortest of
// all times over the shortest of the first k. `measured` are times in the predicted order.
std::vector<double> kept_of_best(std::span<const double> measured);

// The same for the rows with a predicted and a measured time; empty for fewer than two.
std::vector<double> kept_of_best(const Ranking& ranking);

Json to_json(const Ranking& ranking);
std::string text_of(const Ranking& ranking);
std::string csv_of(const Ranking& ranking);

}  // namespace pnsim
