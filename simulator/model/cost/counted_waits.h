// Waits for results of fixed latency, branches, constants, fences and instructions, as the profiler
// counted them.
#pragma once

#include <vector>

#include "simulator/model/cost/segment_context.h"
#include "simulator/model/device/device_facts.h"

namespace pnsim {

// Cycles that a warp waits beyond stall_cycles() (issue_pipes.h), which follows dependences through
// the code. The waits belong to the code: in the recorded counts those of fixed latency differ
// little between sizes of a problem, unlike the waits for memory (DECISIONS 132).
struct CountedWaits {
  // The launch's counters kFixedWaits, kBranchWaits, kConstantOperandWaits, kInstructionWaits and,
  // unless they are of the fences, kFenceWaits, less the stalls of all its segments, over its
  // instructions. Below 0 where the code has more stalls than were counted.
  double of_instruction = 0;
  // kFenceWaits over the instructions of the class "fence", where that is long. The class also has
  // instructions that wait for copies, and fences that hardly wait.
  double of_fence = 0;
};

// All 0 for a launch without the counters.
CountedWaits counted_waits(const Launch& launch, const std::vector<SegmentContext>& contexts,
                           const DeviceFacts& facts, const Heuristics& heuristics);

}  // namespace pnsim
