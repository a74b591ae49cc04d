// Names of counters of a launch that one folder of the model writes and another reads.
#pragma once

#include <cstdint>

namespace pnsim {

// The number of the report's launches in the default stream. From kLaunchesOfAProgram on, the
// report is assumed to be that of a whole program, whose kernels start later in any stream or
// graph.
inline constexpr const char* kDefaultStreamLaunches = "default_stream_launches";
inline constexpr std::int64_t kLaunchesOfAProgram = 8;

// Counters of launches whose module has constants of its own (sass/constant_use.h).
inline constexpr const char* kConstantWaits = "constant_waits";
inline constexpr const char* kConstantLines = "constant_lines";

// Warp instructions in loops that only wait (sass/spinning.h).
inline constexpr const char* kSpinningInstructions = "spinning_instructions";

// Warp instructions that load the module's own constants at computed addresses
// (sass/constant_use.h).
inline constexpr const char* kIndexedConstantLoads = "indexed_constant_loads";
// Requests to the SM's constant cache, one for each different address of a load's lanes, and those
// that fetch a line from the cache behind it.
inline constexpr const char* kConstantRequests = "constant_requests";
inline constexpr const char* kConstantMisses = "constant_misses";

}  // namespace pnsim
