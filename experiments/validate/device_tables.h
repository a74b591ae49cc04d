// Predictions across GPUs: profiled on one, predicted for another and measured there.
#pragma once

#include <string>
#include <vector>

#include "experiments/spec/options.h"
#include "experiments/spec/spec.h"
#include "simulator/analysis/runs/replicas.h"

namespace pnsim::experiments {

// The errors of `net` on all warm times of every GPU that has some, by the GPU whose counts the
// kernel models hold: the shipped models, and those of results/DEVICE/models. Then the same on the
// points that were profiled on both, then by program, the largest error across GPUs first. A net
// whose step is no cycle is refused with error 2.
Rendered devices_table(const std::string& net, const RunOptions& options);

// Every shipped experiment.
std::vector<Spec> all_specs();

// Error 2 for a net whose step is no cycle.
void need_cycles(const std::string& net);

}  // namespace pnsim::experiments
