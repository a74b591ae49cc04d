// What launches, blocks and barriers cost besides their segments.
#pragma once

#include <cstdint>
#include <optional>

#include "simulator/model/cost/residency.h"
#include "simulator/model/memory/cold_launch.h"

namespace pnsim {

// From one launch's end to the next one's first block, in a graph, with its first accesses. `cold`:
// cold_start_facts() of the launch.
double launch_cycles(const Launch& launch, const DeviceFacts& facts,
                     const std::optional<ColdStartFacts>& cold, const Heuristics& heuristics = {});
// The same; reads the facts.
double launch_cycles(const Launch& launch, const DeviceProfile& device);

// From a block's start to the next one's.
std::int64_t dispatch_cycles(const Residency& residency, const DeviceFacts& facts);
// From a block's end to the start of the one in its place.
std::int64_t turnover_cycles(const DeviceFacts& facts);
// From the last arrival at a barrier to the first warp's next instruction. In blocks of more warps
// the microbenchmark takes longer by the arrivals, one after the other, which the net makes itself.
std::int64_t barrier_cycles(const DeviceFacts& facts);

}  // namespace pnsim
