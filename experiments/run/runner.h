// Runs a spec: predicts its points, measures or looks up their times, and writes rows to a folder.
#pragma once

#include <string>
#include <vector>

#include "experiments/run/result_files.h"

namespace pnsim::experiments {

struct RunRequest {
  Spec spec;
  CompareMode compare = CompareMode::kNone;
  std::string net;      // "" for that of the spec
  std::string device;   // profile to predict for; "" for the spec's (live: that of this GPU)
  std::string folder;   // folder of the rows; it is created
  bool resume = false;  // keep existing rows: cells of the grid and live times
  RunOptions options;
  std::string command;  // recorded as provenance
};

// Writes run.json, points.jsonl and grid.jsonl to the folder; rows of the grid are written as soon
// as they are ready. Throws error 4 for a point that was not recorded or a missing GPU, and error
// 74 for a folder that cannot be written, both before anything is simulated.
RunResults run_experiment(const RunRequest& request);

// The paths of all files of rows that run_experiment may write to the folder.
std::vector<std::string> run_files(const std::string& folder);

}  // namespace pnsim::experiments
