// Texture fetches at the port of L1, and their latency, by what they fetch from.
#pragma once

#include "simulator/model/device/device_facts.h"
#include "simulator/model/launch/heuristics.h"
#include "simulator/model/launch/segment.h"

namespace pnsim {

// Cycles of the port for one fetch of a warp that looks up so many sectors in L1.
double texture_fetch_cycles(const SegmentAccess& access, double sectors, const DeviceFacts& facts,
                            const Heuristics& heuristics);

// Cycles from a fetch to its result where it hits L1, of the slowest fetch of the segment.
double texture_latency_cycles(const Segment& segment, const DeviceFacts& facts,
                              const Heuristics& heuristics);

}  // namespace pnsim
