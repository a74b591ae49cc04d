// Cycles of L2's slices for atomic operations.
#pragma once

#include "simulator/model/cost/cost_inputs.h"

namespace pnsim {

// The launch's operations are spread over the slices of L2, not concentrated in few words.
bool are_spread(const MemoryInputs& in);

// Cycles for which the operations occupy all slices of L2; other accesses wait that long.
double spread_atomic_cycles(const AccessView& view, const MemoryInputs& in);

// Cycles for which the busiest slice of L2 serves the sectors, one after the other.
double atomic_cycles(const AccessView& view, const MemoryInputs& in);

// The extra latency, in cycles, of an atomic's result over a load's, each measured alone.
double atomic_latency_cycles(const DeviceFacts& facts);

}  // namespace pnsim
