// The shape of a program: its blocks in order, and its nested loops.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/model/sass/flow.h"
#include "simulator/model/sass/warp_paths.h"

namespace pnsim {

struct FlowRegion;

// A loop, or a run: instructions that are executed together.
struct FlowItem {
  std::vector<std::size_t> lines;  // of the code, in order; empty for a loop
  std::int64_t count = 0;          // executions of the run; entries of the loop
  // The rarer side of a branch: the last blocks execute it, not the first.
  bool from_end = false;
  // Outside loops, from_end: as many of the last blocks do not reach the branch, but have ended.
  std::int64_t ended_blocks = 0;
  bool is_of_blocks = false;  // outside loops: whole blocks execute it, or none of their warps
  // Outside loops: the first of these warps of a block execute it, in the first of so many blocks
  // (warp_paths.h).
  WarpPath path;
  std::vector<FlowRegion> loop;  // one, or none
};

// The whole code, or the body of a loop.
struct FlowRegion {
  std::int64_t iterations = 0;  // executions of the header; for the whole code: the warps
  std::vector<FlowItem> items;
};

// Loops deeper than this are dissolved, because kernel models bound their nesting. Their blocks
// belong to the loop around them: counts remain, the order of iterations is lost.
inline constexpr int kMaxLoopDepth = 20;

// The kernel was launched with `grid` blocks of `block_threads` threads. A loop is taken to be
// entered at most once in each iteration of the loop around it. `are_blocks_first`: as in
// PathInputs. `guards_of_blocks` [line]: the guard depends on the number of the block alone, so
// that whole blocks take a branch; empty where this is not known.
FlowRegion find_loops(const Code& code, const Flow& flow, std::int64_t grid,
                      std::int64_t block_threads, bool are_blocks_first = false,
                      const std::vector<bool>& guards_of_blocks = {});

}  // namespace pnsim
