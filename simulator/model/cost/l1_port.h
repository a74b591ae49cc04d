// The port of an SM that shared memory, L1, shuffles and special registers use.
#pragma once

#include <cstdint>

#include "simulator/model/device/device_facts.h"
#include "simulator/model/launch/heuristics.h"
#include "simulator/model/launch/segment.h"
#include "simulator/model/memory/access_pattern.h"
#include "simulator/model/memory/tag_banks.h"
#include "simulator/model/memory/traffic.h"

namespace pnsim {

// The number of banks of L1's tags. L1 looks up that many consecutive lines per cycle.
std::int64_t tag_bank_count(const DeviceFacts& facts);

// Cycles of the port for an access to shared memory, and for the tag look-ups of an L1 access.
double shared_access_cycles(const SegmentAccess& access, const Traffic& traffic,
                            const DeviceFacts& facts);
double l1_lookup_cycles(const SegmentAccess& access, const AccessPattern& pattern,
                        const TagBanks& banks, const Traffic& traffic, const DeviceFacts& facts,
                        const Heuristics& heuristics);

// Cycles of the port for the ends of groups of asynchronous copies.
double copy_group_cycles(const Segment& segment, const DeviceFacts& facts);

// Cycles of the port for special registers, and for accesses whose lanes are all predicated off.
// `come_together`: all warps reach the segment at the same time.
double laneless_port_cycles(const Segment& segment, bool come_together, const Traffic& traffic,
                            const DeviceFacts& facts, const Heuristics& heuristics);

// Cycles from the segment's begin to its slowest short-scoreboard result, without queueing at the
// port.
double short_scoreboard_latency(const Segment& segment, const DeviceFacts& facts);

// The number of port accesses by short-scoreboard instructions: at least one for each.
double short_scoreboard_accesses(const Segment& segment);

}  // namespace pnsim
