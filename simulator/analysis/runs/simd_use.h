// Which runs of a command are made side by side in SIMD registers.
#pragma once

#include <vector>

#include "simulator/analysis/runs/run_options.h"
#include "simulator/engine/fast_runner.h"

namespace pnsim {

// Fills `runs` and `log` (may be null) with the replicas that SIMD registers have run, on all
// threads of the options; returns the positions of the others: all of them where it does not fit or
// pay.
std::vector<std::uint32_t> run_in_simd(const Net& net, const FastRunner& runner,
                                       const RunOptions& options, std::vector<RunResult>& runs,
                                       ConflictLog* log);

}  // namespace pnsim
