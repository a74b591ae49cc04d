// Cycles of L2 for loads and stores: all SMs share its bandwidth, and these are one SM's share.
#pragma once

#include "simulator/model/cost/cost_inputs.h"

namespace pnsim {

// The sectors that loads like this one read at L2, after requests of several SMs are merged.
double sectors_at_l2(const AccessView& view, const L2Traffic& traffic);

// The sectors that DRAM delivers for loads like this one.
double fetched_sectors(const AccessView& view, const MemoryInputs& in);

// The number of lines that a load requests from L2.
double requested_lines(const SegmentAccess& access, const LoadTraffic& load);

// A store as L2 sees it: L1 merges some stores to global memory.
struct StoredSectors {
  double sectors = 0;
  double lines = 0;    // in which they lie
  double partial = 0;  // partially written sectors, before L1 merges any
};
StoredSectors stored_sectors(const AccessView& view, const MemoryInputs& in);

double l2_load_cycles(const AccessView& view, const MemoryInputs& in);
double l2_store_cycles(const AccessView& view, const MemoryInputs& in);

// `factor` on the cycles of L2: below 1 where loads and stores use both directions of the way to L2
// at a time, above 1 where its slices look up lines for misses and for atomics besides, or where
// DRAM delivers data. `fills` (0 ... 1) is the share of the resulting cycles that this delivery
// adds.
struct BothDirections {
  double factor = 1, fills = 0;
};
BothDirections l2_both_directions(const CostInputs& in, const PeakRates& peak);

}  // namespace pnsim
