// Cycles of DRAM for loads and stores: all SMs share its bandwidth, and these are one SM's share.
#pragma once

#include "simulator/model/cost/cost_inputs.h"

namespace pnsim {

double dram_load_cycles(const AccessView& view, const MemoryInputs& in);
double dram_store_cycles(const AccessView& view, const MemoryInputs& in);

// A factor on the bytes of DRAM. It is over 1 where reads and writes alternate (bus turnarounds).
double dram_turnaround_factor(const PeakRates& peak, double dram_mix, const Heuristics& heuristics);

}  // namespace pnsim
