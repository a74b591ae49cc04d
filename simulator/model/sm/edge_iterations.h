// Edges of tiles: a loop in which all warps of a block load once, and a few of them once more.
#pragma once

#include <cstddef>
#include <vector>

#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// Where the same number of warps of every block executes a second iteration of such a loop (to load
// the elements of a tile beyond one per thread), that iteration gets its own segments after all
// others. The first iterations are assumed to have whole warps. The second one has the rest of the
// lanes, and sectors in proportion. So the misses that the first iterations leave go to it. Sums
// over the launch do not change. `origins` gets, for each segment of the result, the segment of
// `launch` that it is made of.
Launch with_edge_iterations_apart(Launch launch, std::vector<std::size_t>* origins = nullptr);

}  // namespace pnsim
