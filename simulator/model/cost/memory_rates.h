// One SM's share of the bandwidth of L2 and DRAM.
#pragma once

#include <algorithm>

#include "simulator/model/device/device_facts.h"

namespace pnsim {

// Bytes per second of all SMs together. With several waves of short blocks DRAM delivers more, and
// L2 copies more, than with one wave of long blocks, whose warps drift apart over the data.
struct PeakRates {
  double l2_read, l2_write, l2_copy;
  double dram_read, dram_write, dram_copy;
};
PeakRates peak_rates(const DeviceFacts& facts, bool several_waves);

struct MemoryRates {
  PeakRates peak;
  double busy_sms = 1;       // among which the bandwidth is shared
  double cycles_per_ns = 1;  // of the SM's clock
  double l2_factor = 1;      // on cycles of L2: loads and stores at a time (l2_cost.h)
  double l2_fills = 0;       // share of the cycles of L2 in which DRAM delivers (l2_cost.h)
  double dram_factor = 1;    // on bytes of DRAM: reads and writes alternate (dram_cost.h)
  double taken_in = 0;       // bytes of bulk copies per cycle of an SM; 0: unknown

  // The share of the cycles of L2 during which DRAM works, if this share of the sectors is missing:
  // while it delivers, and for the rest of the cycles in that proportion.
  double overlapping(double missing) const { return missing + (1 - missing) * l2_fills; }

  // The cycles that this SM needs for `each` units, if all SMs together get `rate` units per
  // second.
  double shared_cycles(double rate, double each) const {
    return each * busy_sms * cycles_per_ns * 1e9 / rate;
  }
  // The same for the SM's own link to L2, whose rate does not rise when other SMs are idle.
  double own_cycles(double rate, double each) const { return each * cycles_per_ns * 1e9 / rate; }
};

// Cycles of accesses that take so many at L2, and at DRAM. Both levels work at the same time. But
// where L2 keeps part of the data from one launch to the next, these data are used one after the
// other, and DRAM works during `missing` (0 ... 1) of the time at L2 only.
inline double both_levels(double l2, double dram, double missing) {
  return l2 + std::max(dram - missing * l2, 0.0);
}

}  // namespace pnsim
