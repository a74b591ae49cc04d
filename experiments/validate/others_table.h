// The launches of programs that others wrote (experiments/others): errors of the first prediction
// and of today's, by folder and by kind of program.
#pragma once

#include <string>

#include "experiments/spec/options.h"
#include "simulator/analysis/runs/replicas.h"

namespace pnsim::experiments {

// `folder` has one folder per recording, and folders.json, which names each with its kind. Every
// launch is predicted by `net`, the roofline, and its duration under the profiler. Three tables: by
// folder; by kind, with the pairs that are ranked correctly; by length (expected_time.h). The first
// two take launches with tensor cores apart. Error 3 for a folder that is missing or not named, and
// for a first prediction that does not go with the times. A net whose step is no cycle is error 2.
Rendered others_table(const std::string& folder, const std::string& net, const RunOptions& options);

// The folder in the repository, or in the installation.
std::string shipped_others();

}  // namespace pnsim::experiments
