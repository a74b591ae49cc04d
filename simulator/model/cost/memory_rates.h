// What one SM gets of L2 and DRAM, which all SMs share.
#pragma once

#include "simulator/model/device/device_facts.h"

namespace pnsim {

// Bytes a second of all SMs. Short blocks in several waves get more out of DRAM, and copies more
// out of L2, than blocks that stay for the whole launch, whose warps drift apart over the data.
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
  double dram_factor = 1;    // on bytes of DRAM: reads and writes alternate (dram_cost.h)

  // Cycles of this SM's share of something that the whole GPU does at `rate` a second.
  double shared_cycles(double rate, double each) const {
    return each * busy_sms * cycles_per_ns * 1e9 / rate;
  }
  // Cycles of this SM's own way to L2, at `rate` a second: no faster when other SMs are idle.
  double own_cycles(double rate, double each) const { return each * cycles_per_ns * 1e9 / rate; }
};

}  // namespace pnsim
