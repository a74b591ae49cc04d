// Loads that are outstanding together: those of a segment, and those of earlier segments for which
// no instruction has waited yet.
#pragma once

#include <cstddef>
#include <vector>

#include "simulator/model/launch/launch.h"

namespace pnsim {

// A segment whose loads are outstanding when another one starts.
struct OutstandingLoads {
  std::size_t segment = 0;
  double share = 0;  // of the other segment's executions, above 0 and at most 1

  bool operator==(const OutstandingLoads&) const = default;
};

// [Launch::segments] the earlier segments whose loads are outstanding when the segment starts, in
// the order in which they were met first. The first iteration of a loop follows what is before the
// loop, each other iteration follows an iteration.
std::vector<std::vector<OutstandingLoads>> outstanding_before(const Launch& launch);

}  // namespace pnsim
