// Names of counters of a launch that are written by one room and read by another.
#pragma once

#include <cstdint>

namespace pnsim {

// So many launches of the report were in the default stream. From eight on it is taken to be of a
// program that does other things besides, whose kernels begin later in whatever stream or graph.
inline constexpr const char* kDefaultStreamLaunches = "default_stream_launches";
inline constexpr std::int64_t kLaunchesOfAProgram = 8;

// Of a launch whose module has constants of its own (sass/constant_use.h).
inline constexpr const char* kConstantWaits = "constant_waits";
inline constexpr const char* kConstantLines = "constant_lines";

}  // namespace pnsim
