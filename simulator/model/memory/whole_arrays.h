// Arrays of straight code that miss L1 while others hit. The profiler counts only the misses of all
// loads together, so the arrays are found by the number of their sectors.
#pragma once

#include <optional>
#include <vector>

#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// One row of the accesses of a segment that lies in no loop: loads of global memory.
struct StraightLoads {
  const SegmentAccess* access = nullptr;
  double executions = 0;  // of the segment, by all warps
};

// Numbers of warps.
struct LoadingWarps {
  double of_launch = 0;  // those that execute some of the loads
  double of_block = 1;   // all warps of a block
};

// Returns the share of hits for each row of `loads`, or nullopt if no rule fits `misses` (sectors).
//
// Unrolled loops: each segment loads the next part of the same arrays. The n-th load of its kind in
// a segment is taken to be of the same array in all segments. Where some arrays have as many
// sectors as missed, they miss, and the others hit: a vector that is added to all rows of a matrix.
//
// Shifted rows: a row that begins within a sector shares it with the next row of its block, and the
// second of the two hits.
std::optional<std::vector<double>> hits_of_arrays(const std::vector<StraightLoads>& loads,
                                                  const LoadingWarps& warps, double misses);

}  // namespace pnsim
