// Blocks in steady state: of a net that executes many alike blocks one after the other, some rounds are
// simulated, and the others take as long as the last of these.
#pragma once

#include "simulator/analysis/replicas.h"
#include "simulator/model/instantiate.h"

namespace pnsim {

// Error of the steps that leaving blocks out may bring, at most, or more are simulated.
inline constexpr double kMaxLeftOutError = 0.005;

struct SteadyRuns {
  ReplicaRuns runs;               // steps, firings, waiting and idle steps as of all blocks
  std::int64_t blocks = 0;        // of the SM
  std::int64_t simulated = 0;     // the same, when all were
  double error_bound = 0;         // of the steps, relative; 0 when all were simulated
};

// Runs the net of `values` (sm_parameters.h). Three runs with a blocks of the most frequent kind, then w
// and 2 w more, tell how long a block takes on average, twice: so many steps as the two differ by, over
// the blocks left out, is the bound. a and w are doubled until it is small enough, or nothing left out.
SteadyRuns run_steadily(const NetTemplate& net, ParameterValues values, const RunOptions& options);

}  // namespace pnsim
