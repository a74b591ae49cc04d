// Checks of nets that any input gave.
#pragma once

#include "simulator/net/net.h"

namespace pnsim::fuzz {

// JSON and PNML read back the same net, whatever the order in which it is converted.
void check_round_trips(const Net& net);

// The reference engine, the incremental engine, the engine of lanes, and replicas in SIMD registers
// give the same runs of at most `max_steps` steps. Large nets are not run.
void check_engines(const Net& net, std::uint64_t max_steps);

}  // namespace pnsim::fuzz
