// A sweep by several processes at once, as `mpirun -n 4 pnsim sweep ...` starts them.
#pragma once

#include <optional>
#include <string>

#include "simulator/analysis/sweep/sweep_run.h"

namespace pnsim {

// Which of the processes this is.
struct Ranks {
  unsigned rank = 0;
  unsigned size = 1;
};

// From OMPI_COMM_WORLD_RANK and OMPI_COMM_WORLD_SIZE, which Open MPI's mpirun sets. Nothing when it
// did not start this process, or only one.
std::optional<Ranks> ranks_from_environment();

// "rows.jsonl.2-of-4": the shard files that stand beside the rows file until it is whole.
std::string rank_file(const std::string& rows, unsigned shard, unsigned size);

// Rank r works on shard r; then on every shard that no living process has locked and that is not
// whole, so that a rank that dies costs only its unfinished points. The processes exchange nothing:
// the locks of the shard files say who lives. The last one merges the shards into `rows` and takes
// them away; all return when `rows` is whole. Rows that are there are kept, whichever run made
// them. Error 3 when they are of another sweep or of another number of processes.
ExitCode run_as_rank(const SweepPoints& points, const SweepRun& run, Ranks ranks,
                     const std::string& rows);

}  // namespace pnsim
