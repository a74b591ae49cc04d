// Runs independent jobs on several threads. The result does not depend on the number of threads.
#pragma once

#include <cstddef>
#include <functional>

namespace pnsim {

// Calls job(i) once for each i = 0 ... count - 1 on `threads` threads (0: one per core). The
// exception with the lowest index is rethrown after all threads have stopped; later jobs may then
// not have run.
void parallel_for(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& job);

}  // namespace pnsim
