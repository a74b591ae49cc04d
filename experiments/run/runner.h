// Runs a spec: predicts its points, finds or takes their times, and leaves rows in a folder.
#pragma once

#include <string>

#include "experiments/run/result_files.h"

namespace pnsim::experiments {

struct RunRequest {
  Spec spec;
  CompareMode compare = CompareMode::kNone;
  std::string net;      // "" for the spec's
  std::string device;   // profile to predict for, "" for the spec's (live: that of the GPU found)
  std::string folder;   // of the rows; made
  bool resume = false;  // keep the rows that are there: cells of the grid, live times
  RunOptions options;
  std::string command;  // for the provenance
};

// Leaves run.json, points.jsonl and grid.jsonl (rows of the grid as they come) in the folder. Error
// 4 for a point that was not recorded or a GPU that is not there, 74 for a folder that cannot be
// written: both before anything is simulated.
RunResults run_experiment(const RunRequest& request);

}  // namespace pnsim::experiments
