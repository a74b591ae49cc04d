// The times of a program's kernel launches by timed runs with the recorder (gpu/record.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpu/recorded_launches.h"

namespace pnsim::experiments {

struct TimedRuns {
  std::vector<std::string> target;  // a path and its arguments
  std::string recorder, folder;     // the rows of each run go to launches-N.jsonl or serial-N.jsonl
  int runs = 3;                     // of each kind of record
  double limit_s = 0;               // of one run; 0: none
};

// The files of the runs in the folder.
std::vector<std::string> files_of_runs(const TimedRuns& runs);

struct TimedLaunches {
  gpu::AgreedLaunches agreed;
  bool are_instrumented = true;  // the times hold what CUPTI adds to each block
};

// Runs the program with instrumented records, then with serial ones, and takes the times without
// instrumentation. `offset_us`: what serial records take longer (gpu::serial_offset_us()). Without
// it, or where a serial run fails, takes ten times as long (at least a minute) or makes other
// launches, the times are of instrumented kernels; a warning says why. Errors 4 and 5 of
// gpu::record_launches() for the other runs; error 4 where no launch is in all of them.
TimedLaunches timed_launches(const TimedRuns& runs, std::optional<double> offset_us);

}  // namespace pnsim::experiments
