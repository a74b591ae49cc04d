// How often warps wait for the misses of their loads, and for those of neighbouring warps.
#pragma once

#include "simulator/model/cost/cost_inputs.h"

namespace pnsim {

// The probability (0 ... 1) that a sector of a load misses L1, and that it misses L2 as well.
inline double misses_l1(const LoadTraffic& row) { return 1 - row.l1_hits; }
inline double misses_l2(const LoadTraffic& row) { return (1 - row.l1_hits) * row.l2_misses; }

// The probability (0 ... 1) that a warp waits for a miss of some load of the segment, its own or
// that of a neighbouring warp. `chance` is the miss probability of one sector of a row.
double miss_share(const SegmentView& view, const Heuristics& heuristics,
                  double (*chance)(const LoadTraffic&));

// Warps that share no lines wait independently. The slowest of a block decides when the block goes
// on from a barrier, or ends. `share` is the mean, over the executions, that wait.
double slowest_warp_share(double share, const SegmentView& view, const Heuristics& heuristics);

}  // namespace pnsim
