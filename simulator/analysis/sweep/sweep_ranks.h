// A sweep by several processes at once, started by `mpirun -n 4 pnsim sweep ...`.
#pragma once

#include <optional>
#include <string>

#include "simulator/analysis/sweep/sweep_run.h"

namespace pnsim {

// The rank of this process and the number of processes.
struct Ranks {
  unsigned rank = 0;
  unsigned size = 1;
};

// Reads OMPI_COMM_WORLD_RANK and OMPI_COMM_WORLD_SIZE, which Open MPI's mpirun sets. Nothing when
// mpirun did not start this process, or started only one.
std::optional<Ranks> ranks_from_environment();

// Example: "rows.jsonl.2-of-4". Shard files stand beside the rows file until it is complete.
std::string rank_file(const std::string& rows, unsigned shard, unsigned size);

// Rank r works on shard r first. It then works on every incomplete shard that no living process has
// locked, so that a rank that dies loses only its unfinished points. The processes exchange no
// messages: a lock on a shard file shows that its owner is alive. The last process merges the
// shards into `rows` and deletes them. All ranks return when `rows` is complete. Existing rows are
// kept. Throws error 3 when they belong to another sweep or to another number of processes.
ExitCode run_as_rank(const SweepPoints& points, const SweepRun& run, Ranks ranks,
                     const std::string& rows);

}  // namespace pnsim
