// Loads that find L1 empty. A row of weights, say, that all warps of an SM read once is not there
// when the launch begins. It misses for the first warp, and the others wait for the same line (hits
// on an outstanding miss). The counters, means over the launch, call these hits.
#pragma once

#include <vector>

#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/memory/access_pattern.h"

namespace pnsim {

// [Launch::segments] of a launch whose blocks all begin in one wave on so many SMs. True for a
// segment outside loops that loads coalesced rows which no earlier load requested. Behind a store a
// warp may read what it stored, which is a hit, unless enough warps share what they read. Texture
// fetches were not measured.
std::vector<bool> loads_find_l1_empty(const Launch& launch, const AccessPatterns& patterns,
                                      double sms);

}  // namespace pnsim
