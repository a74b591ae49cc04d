// Which loads of a launch miss L1, and which miss L2. The profiler counts only the totals.
#pragma once

#include <vector>

#include "simulator/model/launch/heuristics.h"
#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/memory/access_pattern.h"

namespace pnsim {

// The loads of one row of a segment's accesses.
struct LoadTraffic {
  double l1_hits = 0;      // share of their sectors
  double l2_misses = 0;    // share of the sectors read at L2
  double idle = 0;         // sectors that a miss fetches beside the requested one
  double table_bytes = 0;  // of the table they gather from, from the hits in L1; 0: unknown
};

// [segment][access]; empty for a launch without segments.
using LoadRows = std::vector<std::vector<LoadTraffic>>;

struct CountedMisses {
  double l1_hits = 0;       // share of the sectors that loads of global memory request of L1
  double texture_hits = 0;  // the same for texture fetches
  double fetched = 0;       // sectors read from DRAM for one that misses L1
  double driven_out = 0;    // share of them that L2 would have had without other kernels
  double atomics = 0;       // share of the sectors of atomics that miss L2
  double sms = 1;           // that have blocks
  double l1_bytes = 0;      // of an SM, for what blocks do not use as shared memory
};

// Misses of L1 go to loop bodies, and to segments of straight code, in the order of their first
// loads; but whole arrays miss where the counted misses say so (whole_arrays.h). In a body, and in
// the code between two loops (segments with consecutive numbers), misses go to gathers after the
// other loads, and for each load to the sectors that it requests first. Reads at L2 beyond these
// are misses of local loads; atomics always miss. Blocks that execute different loads have misses
// in proportion to what they request. Data that all blocks load miss last. Misses of L2 go to
// accesses in the same order; all gathers come last and miss alike. What other kernels have driven
// out of L2 lies anywhere, so the streams of straight code miss it alike.
LoadRows deal_misses(const Launch& launch, const AccessPatterns& patterns,
                     const CountedMisses& counted, const Heuristics& heuristics);

}  // namespace pnsim
