// Loads of earlier segments that a segment waits for together with its own.
#pragma once

#include <cstddef>
#include <vector>

#include "simulator/model/launch/launch.h"

namespace pnsim {

// Loads that have outlived a wait (SegmentAccess::outlives_wait) when a segment begins, in some of
// its executions. The first segment with loads behind that wait has them: what waits for its own
// loads waits for them as well.
struct OvertakenLoads {
  std::vector<std::size_t> segments;  // that made the loads, in ascending order
  std::vector<std::size_t> awaited;   // segments whose other loads that wait was for
  double share = 0;                   // of the segment's executions

  bool operator==(const OvertakenLoads&) const = default;
};

struct LoadsBefore {
  // At most 16; the rest is added to the nearest ones. In the other executions no load has outlived
  // a wait.
  std::vector<OvertakenLoads> overtaken;
  // In some executions no segment has this segment's own loads that outlive a wait, since the next
  // wait follows without loads between. They are then taken to be waited for by the first wait.
  bool loses_loads = false;

  bool operator==(const LoadsBefore&) const = default;
};

// [Launch::segments] for all warps together. The first iteration of a loop follows what is before
// the loop, each other iteration follows an iteration. In loops deeper than eight, all iterations
// are taken to follow what is before the loop.
std::vector<LoadsBefore> loads_before(const Launch& launch);

}  // namespace pnsim
