// How long loads take from their issue to their result, and how often warps wait for misses.
#pragma once

#include <span>
#include <vector>

#include "simulator/model/cost/cost_inputs.h"

namespace pnsim {

// Cycles of a load of one line at L2, and at DRAM, queueing included.
struct LoadLatencies {
  double l2 = 0, dram = 0;
};

// Without queueing.
LoadLatencies unloaded_latencies(const Launch& launch, bool several_waves, const DeviceFacts& facts,
                                 const Heuristics& heuristics);
// `more` has the cycles that loads queue at each level. The latency of DRAM is never below that of
// L2.
LoadLatencies with_queueing(const LoadLatencies& unloaded, const LoadLatencies& more);

// The extra L2 latency, in cycles, of the SM that is farthest from L2 over the mean of all SMs.
double slowest_sm_cycles(const DeviceFacts& facts);

// The extra latency, in cycles, of a load of `lines` lines over a load of one line.
double l1_lines_cycles(double lines, const DeviceFacts& facts);
double l2_lines_cycles(double lines, const DeviceFacts& facts);
double dram_lines_cycles(double lines, const DeviceFacts& facts);

// The probability (0 ... 1) that a segment waits for L2, and that it waits for DRAM. The warps of a
// block load together, so a warp that hits an outstanding miss of another warp waits, too.
struct LoadWaits {
  double l2 = 0, dram = 0;
};
LoadWaits load_waits(const CostInputs& in, std::size_t segment);

// OvertakenLoads of a segment.
struct OvertakenViews {
  std::vector<SegmentView> segments, awaited;
  double share = 0;  // of the executions
};

// Inputs of load_latency(): the latency of the segment's slowest load, 0 without loads. Loads that
// have outlived a wait are waited for as well.
struct LatencyInputs {
  const SegmentView& segment;
  std::span<const OvertakenViews> overtaken = {};
  double not_in_l1 = 0;  // SegmentContext::not_in_l1
};
struct LoadTime {
  double cycles = 0;
  double l2 = 0, dram = 0;  // parts of it: what L2 adds to L1, what DRAM adds to L2
  double whole = 0;         // not shared among the iterations over which copies stay in flight
};
LoadTime load_latency(const LatencyInputs& of, const CostInputs& in,
                      const LoadLatencies& latencies);

}  // namespace pnsim
