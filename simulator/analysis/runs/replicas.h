// Several runs of one net with one seed and stream: the replicas 0 ... N - 1.
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
  Outcome outcome;              // the worst over the replicas
  ConflictCounts conflicts;     // summed over the replicas; empty unless requested
};

// Runs the replicas. The result depends neither on the threads nor on the GPU. With a GPU one run
// of each call is also made on the CPU; throws error 70 when the two differ.
ReplicaRuns run_replicas(const Net& net, const RunOptions& options);

// Adds the counts of the same net (or of another instance of its template) to `sum`.
void add_conflicts(ConflictCounts& sum, const ConflictCounts& more);

}  // namespace pnsim
