// Skips blocks in steady state. When a net executes many identical blocks one after the other, the
// blocks that follow once the pace is steady need not be simulated.
#pragma once

#include "simulator/analysis/runs/replicas.h"
#include "simulator/model/template/instantiate.h"

namespace pnsim {

// The largest relative error of the steps that skipping may cause; otherwise more are simulated.
inline constexpr double kMaxLeftOutError = 0.005;

struct SteadyRuns {
  ReplicaRuns runs;            // steps, firings, waiting and idle steps as for all blocks
  std::int64_t blocks = 0;     // blocks of the SM
  std::int64_t simulated = 0;  // of the replica that skipped most
  double error_bound = 0;      // largest relative error of the steps; 0 when all were simulated
};

// Runs the net of `values` (sm_parameters.h). Each replica may skip blocks of the most frequent
// kind (engine/steady_blocks.h) independently of the others.
SteadyRuns run_steadily(const NetTemplate& net_template, const ParameterValues& values,
                        const RunOptions& options);

}  // namespace pnsim
