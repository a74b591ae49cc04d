// Blocks put in order, loops nested in each other: the shape of a program.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/model/sass/flow.h"

namespace pnsim {

struct FlowRegion;

// A run of instructions that are executed together, or a loop.
struct FlowItem {
  std::vector<std::size_t> lines;  // of the code, in order; empty for a loop
  std::int64_t count = 0;          // executions of the run; entries of the loop
  bool from_end = false;         // the other side of a branch: executed by the last, not the first
  std::vector<FlowRegion> loop;  // one, or none
};

// The whole code, or the body of a loop.
struct FlowRegion {
  std::int64_t iterations = 0;  // executions of the header; of the whole code: the warps
  bool has_barrier = false;     // in it or deeper
  std::vector<FlowItem> items;
};

// Loops deeper than this are laid open: their blocks belong to the loop around them, which keeps
// counts and loses order (kernel models bound their nesting).
inline constexpr int kMaxLoopDepth = 20;

// `warps`: of the launch. A loop is entered at most once an iteration of the loop around it.
FlowRegion find_loops(const Code& code, const Flow& flow, std::int64_t warps);

}  // namespace pnsim
