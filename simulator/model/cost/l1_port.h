// The port of an SM that shared memory, L1, shuffles and special registers use.
#pragma once

#include <algorithm>
#include <cstdint>

#include "simulator/model/cost/cost_inputs.h"

namespace pnsim {

// The number of banks of L1's tags. L1 looks up that many consecutive lines per cycle.
std::int64_t tag_bank_count(const DeviceFacts& facts);

// Cycles of the port for a row of accesses to shared memory.
double shared_access_cycles(const SegmentAccess& access, const Traffic& traffic,
                            const DeviceFacts& facts);

// A row of accesses to global memory at L1: sums over its warp instructions.
struct L1Lookups {
  double port = 0;        // cycles for which it holds the port
  double wavefronts = 0;  // of the data, at least one for each instruction
  double tags = 0;        // cycles of the tag look-ups
};
L1Lookups l1_lookups(const SegmentAccess& access, const AccessPattern& pattern,
                     const TagBanks& banks, const Traffic& traffic, const DeviceFacts& facts,
                     const Heuristics& heuristics);

// What the loads of one warp that hit L1, or its loads from shared memory, take longer than a
// single load of one wavefront, in cycles. A warp takes in a wavefront every other cycle; the port
// serves other warps in between.
struct Replays {
  double before_last = 0;  // from the first load to the last one, if nothing is in between
  double of_last = 0;

  // `slots` are issued from the segment's begin to its last load. Most lie between its loads, and
  // all are taken to.
  double after(double slots) const { return std::max(before_last - slots, 0.0) + of_last; }
};
Replays l1_replays(const SegmentView& view, const CostInputs& in);
Replays shared_replays(const Segment& segment, const Traffic& traffic, const DeviceFacts& facts);

// Cycles for which the segment's accesses to global memory hold the port, beyond one each.
double longer_at_l1_port(const SegmentView& view, const CostInputs& in);

// Cycles of the port for the ends of groups of asynchronous copies.
double copy_group_cycles(const Segment& segment, const DeviceFacts& facts);

// Cycles of the port for special registers, and for accesses whose lanes are all predicated off.
// `come_together`: all warps reach the segment at the same time.
double laneless_port_cycles(const Segment& segment, bool come_together, const Traffic& traffic,
                            const DeviceFacts& facts, const Heuristics& heuristics);

// Cycles from the segment's begin to its slowest short-scoreboard result, without queueing at the
// port.
double short_scoreboard_latency(const Segment& segment, const Replays& replays,
                                const DeviceFacts& facts);

// The number of port accesses by short-scoreboard instructions: at least one for each.
double short_scoreboard_accesses(const Segment& segment);

}  // namespace pnsim
