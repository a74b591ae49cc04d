// Runs the points of a sweep that are missing in a rows file.
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
  // Called about ten times a second while no row is being written. `rows` is the number of rows of
  // the shard that are written.
  std::function<void(std::uint64_t rows)> tick;
  BestBlocks* best_blocks = nullptr;  // receives the rows that are run here; may be null
};

// Runs the points after `done` and passes their rows to `append`, in order, as soon as they are
// ready. Memory does not grow with the number of points. Returns the worst exit code over all rows,
// including those of `done`.
ExitCode run_sweep(const SweepPoints& points, const SweepRun& run, const RowsDone& done,
                   const std::function<void(const std::string& rows)>& append);

// The same into a file, which is first truncated to its complete rows.
ExitCode run_sweep(const SweepPoints& points, const SweepRun& run, const RowsDone& done,
                   RowFile& file);

// The number of threads, out of `threads`, that remain for the replicas of each point.
unsigned threads_a_point(unsigned threads, std::uint64_t points);

// An estimate in seconds of the time for the rest of the shard. It runs three points and discards
// their rows.
double estimated_seconds(const SweepPoints& points, const SweepRun& run, const RowsDone& done);

}  // namespace pnsim
