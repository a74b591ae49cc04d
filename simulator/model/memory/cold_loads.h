// Loads that find L1 empty. Example: all warps of an SM read the same row of weights once. The
// first warp misses, and the others wait for the same line (hits on an outstanding miss). The
// counters of the launch count the latter as hits.
#pragma once

#include <vector>

#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/memory/access_pattern.h"

namespace pnsim {

// [Launch::segments] of a launch whose blocks all start in one wave on `sms` SMs. True for a
// segment in no loop that loads coalesced rows which no earlier load requested. After a store it
// is false, since a warp may read what it stored, unless enough warps share what they read. Texture
// fetches were not measured.
std::vector<bool> loads_find_l1_empty(const Launch& launch, const AccessPatterns& patterns,
                                      double sms);

}  // namespace pnsim
