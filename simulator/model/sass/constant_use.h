// Constants that the first warps of a launch find in no cache. Where a module has constants of its
// own (__constant__), every launch of any of its kernels begins with cold constant caches.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/model/launch/launch.h"
#include "simulator/model/sass/flow.h"

namespace pnsim {

struct ConstantUse {
  // How often a warp waits, one after the other, for lines of 256 bytes that it was the first to
  // ask for: kernel parameters, the block's shape. Lines asked for before one wait come together.
  std::int64_t waits = 0;
  // Of 64 bytes, of the module's own constants, each waited for. Where an index tells which, as
  // many as so many loads one after the other would read.
  std::int64_t own_lines = 0;
};

// In the order of the code, by `warps` warps; what none executed is left out.
ConstantUse constant_use(const Code& code, std::int64_t warps);

// Sets the counters of all launches where one of them reads constants of its module: launches that
// are profiled together are taken to be of one module.
void set_constant_use(const std::vector<ConstantUse>& uses, std::vector<Launch*> launches);

}  // namespace pnsim
