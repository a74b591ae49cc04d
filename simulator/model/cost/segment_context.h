// What the cost of a segment depends on besides the segment: its place in the launch's programs.
#pragma once

#include <cstddef>
#include <vector>

#include "simulator/model/launch/heuristics.h"
#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/launch/outstanding_loads.h"
#include "simulator/model/memory/access_pattern.h"
#include "simulator/model/memory/load_misses.h"

namespace pnsim {

struct SegmentContext {
  LoadsBefore loads_before;     // at its begin
  bool is_straight = false;     // outside loops
  bool is_opening = false;      // comes no later than its program's first access
  bool ends_iteration = false;  // its last instruction is the branch to a loop's head
  // How often a warp executes it between two barriers of its block: the mean over the warps that
  // execute it, at least 1.
  double executions_between_barriers = 1;
  double executing_warps =
      1;  // of a block: the mean over the blocks in which some warp executes it
  // The probability that its loads find their data in no L1, at the begin of a launch of one wave
  // (cold_loads.h).
  double not_in_l1 = 0;
};

// [Launch::segments]
std::vector<SegmentContext> segment_contexts(const Launch& launch, const AccessPatterns& patterns,
                                             const LoadRows& loads, bool several_waves, double sms,
                                             const Heuristics& heuristics);

}  // namespace pnsim
