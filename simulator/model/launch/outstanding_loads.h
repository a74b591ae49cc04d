// Loads that are outstanding together: those of a segment, and those of earlier segments for which
// no instruction has waited yet.
#pragma once

#include <cstddef>
#include <vector>

#include "simulator/model/launch/launch.h"

namespace pnsim {

// What is outstanding when a segment starts, in some of its executions.
struct LoadsBefore {
  std::vector<std::size_t> segments;  // other segments, whose loads are
  // Segments of which loads have outlived a wait (SegmentAccess::outlives_wait). The first segment
  // with loads behind that wait has them; what waits for its loads waits for those as well.
  std::vector<std::size_t> overtaken = {};
  std::vector<std::size_t> awaited = {};  // segments whose other loads that wait was for
  double share = 0;                       // of the segment's executions

  bool operator==(const LoadsBefore&) const = default;
};

struct OutstandingLoads {
  std::vector<LoadsBefore> cases;  // in the other executions nothing is outstanding
  // In some executions no segment has this segment's own loads that outlive a wait, since the next
  // wait follows without loads between. They are then taken to be waited for by the first wait.
  bool loses_loads = false;

  bool operator==(const OutstandingLoads&) const = default;
};

// [Launch::segments] for all warps together. The first iteration of a loop follows what is before
// the loop, each other iteration follows an iteration. In loops deeper than eight, all iterations
// are taken to follow what is before the loop.
std::vector<OutstandingLoads> outstanding_before(const Launch& launch);

}  // namespace pnsim
