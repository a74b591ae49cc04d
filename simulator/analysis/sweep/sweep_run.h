// Running the points of a sweep that a rows file lacks.
#pragma once

#include <functional>

#include "simulator/analysis/sweep/sweep_file.h"
#include "simulator/base/progress.h"
#include "simulator/base/row_file.h"

namespace pnsim {

struct SweepRun {
  Shard shard;
  unsigned threads = 0;
  ProgressStyle progress = ProgressStyle::kNone;
  // Called about ten times a second while no row is being written; `rows` of the shard are.
  std::function<void(std::uint64_t rows)> tick;
  BestBlocks* best_blocks = nullptr;  // hears of the rows that are run here
};

// Appends the rows behind `done` to `append`, in order, as they become ready; memory does not grow
// with the number of points. The worst exit code over all rows, those done before included.
ExitCode run_sweep(const SweepPoints& points, const SweepRun& run, const RowsDone& done,
                   const std::function<void(const std::string& rows)>& append);

// The same into a file, which is first cut to its whole rows.
ExitCode run_sweep(const SweepPoints& points, const SweepRun& run, const RowsDone& done,
                   RowFile& file);

// Of so many threads those that are left for the replicas of each point.
unsigned threads_a_point(unsigned threads, std::uint64_t points);

// About how many seconds the rest of the shard takes: three points are run for it. Their rows are
// thrown away.
double estimated_seconds(const SweepPoints& points, const SweepRun& run, const RowsDone& done);

}  // namespace pnsim
