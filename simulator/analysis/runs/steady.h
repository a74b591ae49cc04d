// Blocks in steady state: of a net that executes many alike blocks one after the other those that
// follow once the pace is steady are left out.
#pragma once

#include "simulator/analysis/runs/replicas.h"
#include "simulator/model/template/instantiate.h"

namespace pnsim {

// Error of the steps that leaving blocks out may bring, at most, or more are simulated.
inline constexpr double kMaxLeftOutError = 0.005;

struct SteadyRuns {
  ReplicaRuns runs;            // steps, firings, waiting and idle steps as of all blocks
  std::int64_t blocks = 0;     // of the SM
  std::int64_t simulated = 0;  // of the replica that left out most
  double error_bound = 0;      // of the steps, relative, the largest; 0 when all were simulated
};

// Runs the net of `values` (sm_parameters.h). Of the most frequent kind of blocks some may be left
// out (engine/steady_blocks.h), in each replica on its own.
SteadyRuns run_steadily(const NetTemplate& net_template, const ParameterValues& values,
                        const RunOptions& options);

}  // namespace pnsim
