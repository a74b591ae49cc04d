// How long loads take from their issue to their result, and how often warps wait for misses.
#pragma once

#include "simulator/model/cost/cost_inputs.h"

namespace pnsim {

// Cycles of a load of one line at L2, and at DRAM, queueing included.
struct LoadLatencies {
  double l2 = 0, dram = 0;
};

// Without queueing.
LoadLatencies unloaded_latencies(const Launch& launch, bool several_waves, const DeviceFacts& facts,
                                 const Heuristics& heuristics);
// `more`: cycles that loads queue at each level. DRAM is never faster than L2.
LoadLatencies with_queueing(const LoadLatencies& unloaded, const LoadLatencies& more);

// What the SM that is farthest from L2 waits longer for it than all SMs do on average.
double slowest_sm_cycles(const DeviceFacts& facts);

// What a load of so many lines takes longer than one of a single line.
double l1_lines_cycles(double lines, const DeviceFacts& facts);
double l2_lines_cycles(double lines, const DeviceFacts& facts);
double dram_lines_cycles(double lines, const DeviceFacts& facts);

// How often a segment waits for L2, and for DRAM: 0 ... 1. The warps of a block load together, and
// a warp that hits a line which is outstanding waits for it too.
struct LoadWaits {
  double l2 = 0, dram = 0;
};
LoadWaits load_waits(const CostInputs& in, std::size_t segment);

// The slowest of the segment's loads; 0 when it has none. A segment that waits for it waits for
// the loads that are outstanding `before` it, too. `port`: cycles of the segment at the L1 port.
struct LatencyInputs {
  const SegmentView& segment;
  const std::vector<SegmentView>& before;
  bool finds_l1_empty = false;
  double port = 0;
};
struct LoadTime {
  double cycles = 0;
  double l2 = 0, dram = 0;  // parts of it: what L2 adds to L1, what DRAM adds to L2
};
LoadTime load_latency(const LatencyInputs& of, const CostInputs& in,
                      const LoadLatencies& latencies);

}  // namespace pnsim
