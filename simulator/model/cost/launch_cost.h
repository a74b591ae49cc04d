// What launches, blocks and barriers cost besides their segments.
#pragma once

#include <cstdint>
#include <optional>

#include "simulator/model/cost/residency.h"
#include "simulator/model/memory/cold_launch.h"

namespace pnsim {

// Cycles from the end of one launch to the first block of the next one in a CUDA graph, its first
// accesses and the code that it fetches included. For a launch in its program: its time from
// start to end, as a recorder reports it, without the work of its blocks. `cold` is
// cold_start_facts() of the launch.
double launch_cycles(const Launch& launch, const DeviceFacts& facts,
                     const std::optional<ColdStartFacts>& cold, const Heuristics& heuristics = {});
// The same; reads the facts.
double launch_cycles(const Launch& launch, const DeviceProfile& device);

// Cycles between the starts of two blocks on one SM.
std::int64_t dispatch_cycles(const Residency& residency, const DeviceFacts& facts);
// Cycles from the end of a block to the start of the block that replaces it. Instrumented blocks
// take their places longer; what is added here comes before and behind their instructions.
std::int64_t turnover_cycles(const Launch& launch, const DeviceFacts& facts,
                             const Heuristics& heuristics = {});
// Cycles from the last arrival at a barrier to the first warp's next instruction. The
// microbenchmark takes longer for blocks of more warps, since they arrive one after the other. The
// net simulates these arrivals, so they are not added here.
std::int64_t barrier_cycles(const DeviceFacts& facts);

}  // namespace pnsim
