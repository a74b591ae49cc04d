// The blocks that one SM executes of a launch.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/model/launch/launch.h"

namespace pnsim {

// Blocks with the same kinds of warps, in launch order.
struct Phase {
  std::int64_t blocks = 0;
  std::vector<std::size_t> kinds;  // [warp of the block]
};

// The blocks of an SM that executes `blocks` blocks: each kind has its share of the launch, rounded
// up for the first kinds. More than 8 kinds are reduced to 8: the smallest neighbours are merged.
std::vector<Phase> phases_of_sm(const Launch& launch, std::int64_t blocks);

}  // namespace pnsim
