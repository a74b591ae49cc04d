// The model of an SM as a pipeline, from a profiled launch to the parameters of the net:
//
//   1  facts      the device's facts, read once               device/device_facts.h
//   2  launch     texture sectors                             memory/texture_fetches.h
//   3  residency  blocks of the busiest SM, waves             cost/residency.h
//   4  patterns   how lanes access memory                     memory/access_pattern.h
//   5  traffic    where sectors go: L1, L2, DRAM              memory/traffic.h
//   6  contexts   the place of each segment in its programs   cost/segment_context.h
//      waits      counted beyond the dependences found      cost/counted_waits.h
//   7  rates      this SM's share of L2 and DRAM              cost/memory_rates.h
//   8  latencies  of loads, with queueing at L2 and DRAM      cost/load_latency.h,
//                                                              cost/utilisation.h
//   9  costs      of each segment, in cycles of its units     cost/segment_costs.h
//   10 rows       of programs, and the net's parameters       sm/warp_rows.h, sm/sm_parameters.h
//
// sm_stages() makes stages 1 to 9, each a function of the results before it; sm_parameters()
// (sm_parameters.h) makes all of them. Rules that infer unmeasured values are heuristics, which are
// an input as well (launch/heuristics.h).
#pragma once

#include <vector>

#include "simulator/model/cost/cost_inputs.h"
#include "simulator/model/cost/load_latency.h"
#include "simulator/model/cost/segment_cost.h"
#include "simulator/model/cost/utilisation.h"
#include "simulator/model/launch/count_changes.h"

namespace pnsim {

// Results of the stages, for one launch on one device.
struct SmStages {
  Heuristics heuristics;
  DeviceFacts facts;
  Launch launch;
  std::vector<std::size_t> origins;  // [segment] the segment as profiled that it is made of
  Residency residency;
  AccessPatterns patterns;  // [segment][access]
  Traffic traffic;
  std::vector<SegmentContext> contexts;  // [segment]
  TagBanks tag_banks;                    // of L1
  CountedWaits counted_waits;
  MemoryRates rates;
  std::vector<LoadWaits> waits;    // [segment] how often it waits for L2, and for DRAM
  LoadLatencies latencies;         // with queueing
  std::vector<SegmentCost> costs;  // [segment]
  WarpLoad load;                   // of a warp's program, mean over the warps

  // Refers to these results, so they must stay.
  CostInputs inputs() const& {
    return {launch,    patterns,      traffic, contexts,  residency,
            tag_banks, counted_waits, facts,   heuristics};
  }
  CostInputs inputs() const&& = delete;
};

// The counts of the launch's segments are multiplied by `counts`. Where accesses hit, and how their
// lanes access memory, stays as profiled. Error 3 for a launch without programs, and for more
// resident blocks than an SM holds.
SmStages sm_stages(const Launch& profiled, const DeviceProfile& device,
                   const Heuristics& heuristics = {}, const CountFactors& counts = {});

// Stages 4 to 9 of a launch with the given distribution of blocks over the SMs.
SmStages sm_stages(Launch launch, const DeviceFacts& facts, const Residency& residency,
                   const Heuristics& heuristics, const CountFactors& counts = {});

}  // namespace pnsim
