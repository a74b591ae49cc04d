// Constants that miss all caches in the first warps of a launch. In a module with its own constants
// (__constant__) every launch begins with cold constant caches.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/model/launch/launch.h"
#include "simulator/model/sass/flow.h"

namespace pnsim {

struct ConstantUse {
  // Consecutive waits of a warp for lines of 256 bytes that it is the first to request: kernel
  // parameters and the block's shape. Lines requested before one wait arrive together.
  std::int64_t waits = 0;
  // Lines of 64 bytes of the module's own constants; the warp waits for each. For indexed loads it
  // is the number of lines that as many consecutive loads would read.
  std::int64_t own_lines = 0;
  // Warp instructions that load the module's own constants at an address from a register. Lanes
  // with different addresses are served one after the other, and no counter tells how many differ.
  std::int64_t indexed_loads = 0;
};

// In the order of the code, executed by `warps` warps. Code that no warp executed does not count.
ConstantUse constant_use(const Code& code, std::int64_t warps);

// Sets the counters of all launches where one of them reads constants of its module. Launches that
// are profiled together are assumed to belong to one module.
void set_constant_use(const std::vector<ConstantUse>& uses, std::vector<Launch*> launches);

}  // namespace pnsim
