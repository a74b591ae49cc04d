// The results of earlier stages that the cost of segments needs. They must outlive this struct.
#pragma once

#include <vector>

#include "simulator/model/cost/counted_waits.h"
#include "simulator/model/cost/memory_rates.h"
#include "simulator/model/cost/residency.h"
#include "simulator/model/cost/segment_context.h"
#include "simulator/model/memory/tag_banks.h"
#include "simulator/model/memory/traffic.h"

namespace pnsim {

struct CostInputs {
  const Launch& launch;
  const AccessPatterns& patterns;
  const Traffic& traffic;
  const std::vector<SegmentContext>& contexts;
  const Residency& residency;
  const TagBanks& tag_banks;  // of L1
  const CountedWaits& counted_waits;
  const DeviceFacts& facts;
  const Heuristics& heuristics;
};

// A segment and the results of earlier stages for its accesses.
struct SegmentView {
  const Segment& segment;
  const std::vector<AccessPattern>& patterns;  // [access]
  const std::vector<LoadTraffic>& loads;       // [access]
  bool is_straight = false;                    // outside loops
  double executions_between_barriers = 1;      // of a warp
  double executing_warps = 1;                  // of a block
  bool hands_on_loads = false;                 // another segment has its loads that outlive a wait
};
inline SegmentView view_of(const CostInputs& in, std::size_t segment) {
  return {in.launch.segments[segment],
          in.patterns[segment],
          in.traffic.loads[segment],
          in.contexts[segment].is_straight,
          in.contexts[segment].executions_between_barriers,
          in.contexts[segment].executing_warps,
          !in.contexts[segment].loads_before.loses_loads};
}

// One row of a segment's accesses.
struct AccessView {
  const SegmentAccess& access;
  const AccessPattern& pattern;
  const LoadTraffic& load;
};

// What the cost of an access at L2 and DRAM depends on, besides the access itself.
struct MemoryInputs {
  const Traffic& traffic;
  const MemoryRates& rates;
  const DeviceFacts& facts;
  const Heuristics& heuristics;
};

}  // namespace pnsim
