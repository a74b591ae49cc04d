// Several runs of one net: the same net, seed and stream, replicas 0 ... N - 1.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "simulator/analysis/runs/run_options.h"
#include "simulator/engine/conflict_log.h"
#include "simulator/engine/run_result.h"

namespace pnsim {

using ConflictCounts = std::vector<std::pair<std::string, ConflictCount>>;

struct ReplicaRuns {
  std::vector<RunResult> runs;  // [replica - first_replica]
  Outcome outcome;              // the worst
  ConflictCounts conflicts;     // summed over the replicas; empty unless asked for
};

// The result does not depend on the threads, nor on the GPU. Error 70 when a GPU's run differs from
// the CPU's: one run of each call is made on both.
ReplicaRuns run_replicas(const Net& net, const RunOptions& options);

// Adds counts of the same net (or another instance of its template) into `sum`.
void add_conflicts(ConflictCounts& sum, const ConflictCounts& more);

}  // namespace pnsim
