// A roofline: the time that a launch takes at least, were one unit of the device always busy and
// the others hidden behind it. Nothing is fitted; what it leaves out (latencies, dependences,
// barriers, too few warps, a last round of blocks) makes times longer, so it is mostly too fast.
//
// S. Williams, A. Waterman, D. Patterson: Roofline: an insightful visual performance model for
// multicore architectures, CACM 52(4), 2009: attainable rate = min(peak rate, intensity *
// bandwidth), which is time = max over units (work of the unit / its rate). With a ceiling for each
// level of memory and with warp instructions in the place of floating-point operations: N. Ding, S.
// Williams: An instruction roofline model for GPUs, PMBS 2019.
#pragma once

#include <string>
#include <vector>

#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

struct Ceiling {
  std::string unit;  // "issue", "alu", "fma", "special", "l1", "l2 read", "l2 write", "dram"
  double us = 0;     // that this unit is busy for the launch
};

// Work is the launch's counters, made once (its repeats are not in them); rates are facts of the
// device at its clock. Units of an SM count as often as SMs have a block, min(grid, SMs); L2 and
// DRAM are those of the whole GPU:
//
//   issue     issued_instructions / issue_rate          alu      alu_instructions / int_logic_rate
//   fma       fma_instructions / fp32_rate              special  xu_instructions / special_rate
//   l1        l1_wavefronts * shared_load_cycles (shared memory and L1 are one port)
//   l2 read   32 l2_read_sectors / l2_read_bandwidth
//   l2 write  32 (l2_write_ + l2_atomic_ + l2_reduction_sectors) / l2_write_bandwidth
//   dram      dram_read_bytes / dram_read_bandwidth + dram_write_bytes / dram_write_bandwidth
//
// Error 3 for a launch without counters, and for a device without one of these facts.
std::vector<Ceiling> roofline_ceilings(const Launch& launch, const DeviceProfile& device);

// What a launch costs (launch_counters.h) and the highest ceiling.
double roofline_us(const Launch& launch, const DeviceProfile& device);

}  // namespace pnsim
