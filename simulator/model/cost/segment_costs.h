// The cost of every segment of a launch, collected from the cost functions of the units.
#pragma once

#include <vector>

#include "simulator/model/cost/cost_inputs.h"
#include "simulator/model/cost/load_latency.h"
#include "simulator/model/cost/segment_cost.h"

namespace pnsim {

// Rates of L2 and DRAM while the launch runs.
MemoryRates memory_rates(const CostInputs& in);

// [Launch::segments]
std::vector<SegmentCost> segment_costs(const CostInputs& in, const MemoryRates& rates,
                                       const LoadLatencies& latencies);

// [Launch::segments] the same for segments that only one lane of the warp still executes.
std::vector<SegmentCost> one_lane_costs(const CostInputs& in, const MemoryRates& rates,
                                        const LoadLatencies& latencies);

// For a segment that need not be in the launch: its loads hit as all loads of the launch do on
// average.
SegmentCost lone_segment_cost(const Segment& segment, const CostInputs& in,
                              const MemoryRates& rates, const LoadLatencies& latencies);

// For a segment with only the paper's counts: each access is one full line.
SegmentCost counts_cost(const InstructionCounts& counts, const CostInputs& in,
                        const MemoryRates& rates, const LoadLatencies& latencies);

}  // namespace pnsim
