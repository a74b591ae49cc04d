// L1 is empty when a launch begins: what all warps of an SM read once, such as a row of weights,
// misses for the first of them, and those beside it wait for the same line. The counters, means
// over the launch, call that a hit.
#pragma once

#include <vector>

#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// [Launch::segments] of a launch whose blocks begin all together on so many SMs: it loads rows of
// lanes side by side that no load before asked for, and no loop has it come back to them. Behind a
// store a warp may read what it stored: that is a hit, unless there are warps enough that share
// what they read. Fetches of textures were not measured.
std::vector<bool> loads_find_l1_empty(const Launch& launch, double sms);

}  // namespace pnsim
