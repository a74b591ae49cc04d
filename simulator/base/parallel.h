// Independent jobs over threads; the result does not depend on how many.
#pragma once

#include <cstddef>
#include <functional>

namespace pnsim {

// Calls job(i) for i = 0 ... count - 1, each once, on `threads` threads (0: one a core). The first
// exception, by index, is thrown again here once all threads have stopped; later jobs may then not
// have run.
void parallel_for(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& job);

}  // namespace pnsim
