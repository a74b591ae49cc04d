// Barriers of a whole block.
#pragma once

#include <cstdint>

#include "simulator/model/sass/flow.h"

namespace pnsim {

// True for a barrier at which all warps of the block meet. Not so: arrivals, mbarriers (SYNCS), and
// named barriers of a part of the threads, such as those of a warp group.
bool joins_block(const CodeLine& line, std::int64_t block_threads);

// True for a barrier that all threads of the block pass at the same place of the code
// (__syncthreads). The warps of a cluster may wait for its barrier at different places, and so may
// those that a named barrier counts.
bool is_passed_by_block(const CodeLine& line);

}  // namespace pnsim
