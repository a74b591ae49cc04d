// Loads that find L1 empty. Example: all warps of an SM read the same row of weights once. The
// first warp misses, and the others wait for the same line (hits on an outstanding miss). The
// counters of the launch count the latter as hits.
#pragma once

#include <vector>

#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/memory/access_pattern.h"
#include "simulator/model/memory/load_misses.h"

namespace pnsim {

// [Launch::segments] of a launch whose blocks all start in one wave on `sms` SMs: the probability
// that a warp waits for L2 because its data are in no L1 yet. Not 0 for a segment in no loop that
// loads coalesced rows which no earlier load requested: 1, or where all blocks load the same rows,
// the share of these that an SM was counted to miss (less than 1 where several loads read one small
// table). After a store it is 0, since a warp may read what it stored, unless enough warps share
// what they read. Texture fetches were not measured.
std::vector<double> shares_not_in_l1(const Launch& launch, const AccessPatterns& patterns,
                                     const LoadRows& loads, double sms);

}  // namespace pnsim
