// Work that depends on the block or on the grid, recognised by its sums over the launch.
//
// A profile has the iterations of a loop as a sum over all warps. Some sums are those of a loop
// that ends at the thread's index in its block, at the block's index in the grid, or at the number
// of blocks. Such a sum is exact, and the loads of one iteration are known. So an equal sum is
// taken for such a loop: an inference, which other loops fulfil only by chance.
#pragma once

#include <cstdint>

#include "simulator/model/launch/launch.h"

namespace pnsim {

struct BlockWork {
  bool by_thread = false;  // some loop ends at the thread's index in its block
  bool by_block = false;   // some loop ends at the block's index in the grid
};

// Gives the loops of `launch`, whose shape is the profiled one, the mean trip counts that they have
// in `grid` blocks of `block` threads. With u loads an iteration and W warps a block:
// - A loop over the threads up to its own one: each block executes the sum over w < W of
//   floor(32 (w + 1) / u) iterations.
// - A loop over the blocks before its own one: each warp of block B executes floor(B / u)
//   iterations, so W (grid - u) warps enter the loop.
// Other loops stay. Counters of instructions and accesses are scaled with what executes them.
BlockWork scale_block_work(std::int64_t grid, std::int64_t block, Launch& launch);

// A launch of one block that stays as it is while another launch of the program gets `grid` blocks
// instead of `profiled_grid`: loads that all threads together execute once for each of these blocks
// (a final sum over the blocks, say) are executed once for each of the new ones. True where the
// launch has such loads.
bool follow_grid(std::int64_t profiled_grid, std::int64_t grid, Launch& launch);

}  // namespace pnsim
