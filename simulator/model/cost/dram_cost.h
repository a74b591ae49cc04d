// Cycles of DRAM for loads and stores: this SM's share of what all SMs together may do.
#pragma once

#include "simulator/model/cost/cost_inputs.h"

namespace pnsim {

double dram_load_cycles(const AccessView& view, const MemoryInputs& in);
double dram_store_cycles(const AccessView& view, const MemoryInputs& in);

// On the bytes of DRAM: over 1 where reads and writes alternate (bus turnarounds).
double dram_turnaround_factor(const PeakRates& peak, double dram_mix, const Heuristics& heuristics);

}  // namespace pnsim
