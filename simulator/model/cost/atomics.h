// Cycles of L2's slices for atomic operations.
#pragma once

#include "simulator/model/cost/cost_inputs.h"

namespace pnsim {

// Cycles for which the busiest slice of L2 serves the sectors, one after the other; or for which
// DRAM reads and writes them, if that is longer.
double atomic_cycles(const AccessView& view, const MemoryInputs& in);

// The extra latency, in cycles, of an atomic's result over a load's, each measured alone.
double atomic_latency_cycles(const DeviceFacts& facts);

}  // namespace pnsim
