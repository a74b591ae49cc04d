// Cycles of L2's slices for atomic operations.
#pragma once

#include "simulator/model/cost/cost_inputs.h"

namespace pnsim {

// The launch's operations are spread over the slices of L2, not concentrated in few words.
bool are_spread(const MemoryInputs& in);

// Cycles of all slices of L2, which other accesses do not have meanwhile.
double spread_atomic_cycles(const AccessView& view, const MemoryInputs& in);

// One sector after the other in the busiest slice of L2.
double atomic_cycles(const AccessView& view, const MemoryInputs& in);

// A result that is waited for comes later than a load's, each alone.
double atomic_latency_cycles(const DeviceFacts& facts);

}  // namespace pnsim
