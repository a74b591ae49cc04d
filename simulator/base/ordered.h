// Runs independent jobs on several threads and delivers their results in order, as early as
// possible.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace pnsim {

struct OrderedJobs {
  std::uint64_t first = 0;  // the jobs are first ... count - 1
  std::uint64_t count = 0;
  unsigned threads = 0;  // 0: one per core

  // Produces the result of job i. It runs on many threads, and once for each i. With one thread,
  // the calling thread runs it.
  std::function<std::string(std::uint64_t)> make;

  // Takes the concatenated results of consecutive jobs, in order. Only one thread at a time calls
  // it. `done` counts the jobs taken so far, including jobs 0 ... first - 1.
  std::function<void(const std::string& results, std::uint64_t done)> take;

  // Called about ten times a second by a thread that runs no jobs, and never while `take` runs. It
  // must not throw.
  std::function<void(std::uint64_t done)> tick;
};

// At most about 64 results per thread wait for delivery. When a job throws, no further job starts,
// the results before it are still delivered, and the exception is rethrown here. An exception from
// `take` has the same effect.
void run_in_order(const OrderedJobs& jobs);

}  // namespace pnsim
