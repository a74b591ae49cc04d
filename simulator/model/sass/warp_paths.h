// Which warps of a block reach which part of the code, where branches send them different ways.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "simulator/model/sass/flow.h"

namespace pnsim {

using WarpList =
    std::vector<std::size_t>;  // warps of a block, in the order in which they are taken

// What the flow alone does not tell. Counts are over all warps of the launch.
struct PathInputs {
  std::int64_t grid = 1, warps_per_block = 1;
  std::vector<std::size_t> loop;      // [basic block] the header of its outermost loop; kNoLoop
  std::vector<std::int64_t> passing;  // [basic block] warps that reach it, or enter its loop
  std::vector<bool> is_rarer_side;    // [basic block] it begins the rarer side of a branch
  std::vector<bool> is_of_blocks;     // [basic block] all warps of some blocks pass
  std::function<std::int64_t(std::size_t from, std::size_t to)> sent;  // along an edge of a branch
  // The first branch that as many warps pass as some blocks have is one of blocks, not of warps.
  bool are_blocks_first = false;
};
inline constexpr std::size_t kNoLoop = static_cast<std::size_t>(-1);

// Where the warps of a basic block are found: among these warps of the first so many blocks.
struct WarpPath {
  std::int64_t blocks = 0;
  WarpList among;
};

struct WarpPaths {
  std::vector<WarpPath> reach;  // [basic block] warps that reach the branch before it
  std::vector<WarpPath> own;    // [basic block] warps that execute it, as far as this is known
};

// The first warps take the common side of a branch, the last warps the rarer one, and a branch
// within one side divides the warps of that side alone. So warps of a role keep their role, and
// code behind a branch of blocks is divided in these blocks. A branch divides the warps if each
// block sends equally many. Else it divides the blocks, if the warps that it sends are all those of
// some blocks. Basic blocks in a loop have the warps of the loop.
WarpPaths warp_paths(const Flow& flow, const PathInputs& in);

}  // namespace pnsim
