// Arrays that miss L1 wholly, beside others that hit: found where the counted misses are as many
// sectors as some arrays of an unrolled loop have.
#pragma once

#include <optional>
#include <vector>

#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// The loads of global memory of one row of a segment's accesses, in straight code.
struct LoadsInOrder {
  const SegmentAccess* access = nullptr;
  double executions = 0;  // of the segment, by all warps
  bool coalesced = false;
};

// [row of `loads`] the share of its sectors that hit L1, if they explain `misses` (sectors).
// An unrolled loop loads each of its arrays equally often. So the n-th load of its kind (bytes,
// sectors, lanes) in a segment is taken to be of the same array in all segments. An array whose
// rows are read once misses. Rows that begin within a sector share it with a neighbouring warp,
// which hits it. An array that all warps read again, such as a vector added to each row of a
// matrix, hits. nullopt unless all arrays, or some, miss as many sectors as were counted.
// `warps` of the launch.
std::optional<std::vector<double>> hits_of_arrays(const std::vector<LoadsInOrder>& loads,
                                                  double warps, double misses);

}  // namespace pnsim
