// Which loads of a launch are in flight together: those of a segment, and those of segments before
// it that nobody has waited for yet.
#pragma once

#include <cstddef>
#include <vector>

#include "simulator/model/launch/launch.h"

namespace pnsim {

// [Launch::segments] the segments before it whose loads are still in flight when it begins: where
// the first kind of warps that executes it does so for the first time.
std::vector<std::vector<std::size_t>> in_flight_before(const Launch& launch);

}  // namespace pnsim
