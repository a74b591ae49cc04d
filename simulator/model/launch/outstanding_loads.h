// Loads that are outstanding together: those of a segment, and those of earlier segments for which
// no instruction has waited yet.
#pragma once

#include <cstddef>
#include <vector>

#include "simulator/model/launch/launch.h"

namespace pnsim {

// [Launch::segments] the earlier segments whose loads are still outstanding when the segment
// starts. They are taken from its first execution by the first kind of warps that executes it.
std::vector<std::vector<std::size_t>> outstanding_before(const Launch& launch);

}  // namespace pnsim
