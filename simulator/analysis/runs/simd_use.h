// Runs several replicas side by side in SIMD registers.
#pragma once

#include <vector>

#include "simulator/analysis/runs/run_options.h"
#include "simulator/engine/fast_runner.h"

namespace pnsim {

// Fills `runs` and `log` (may be null) with the replicas that ran in SIMD registers, on all threads
// of the options. Returns the positions of the remaining replicas: all of them when the net does
// not fit or when SIMD would not be faster.
std::vector<std::uint32_t> run_in_simd(const Net& net, const FastRunner& runner,
                                       const RunOptions& options, std::vector<RunResult>& runs,
                                       ConflictLog* log);

}  // namespace pnsim
