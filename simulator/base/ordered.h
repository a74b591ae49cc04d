// Independent jobs over threads whose results are wanted in order, as soon as they are there.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace pnsim {

struct OrderedJobs {
  std::uint64_t first = 0;  // jobs first ... count - 1
  std::uint64_t count = 0;
  unsigned threads = 0;  // 0: one a core

  // Called on many threads (of one, by the calling thread), once for each i.
  std::function<std::string(std::uint64_t)> make;

  // Called by one thread at a time with the results of consecutive jobs put together, in order;
  // `done` of all jobs (from 0) are then taken.
  std::function<void(const std::string& results, std::uint64_t done)> take;

  // Called about ten times a second by a thread that makes no jobs, never while `take` runs. Throws
  // nothing.
  std::function<void(std::uint64_t done)> tick;
};

// Results that wait for their turn are bounded: about 64 a thread. When a job throws, no more are
// begun, those before it are still taken, and the exception is thrown again here; likewise when
// `take` throws.
void run_in_order(const OrderedJobs& jobs);

}  // namespace pnsim
