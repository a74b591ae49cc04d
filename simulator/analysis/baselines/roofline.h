// A roofline model: a lower bound on the time of a launch. It assumes that one unit of the device
// is always busy and that all other units overlap with it. No number is fitted. The model ignores
// latencies, dependences, barriers, low occupancy and a partial last wave of blocks; all of these
// make a launch slower, so the prediction is usually too short.
//
// Source: S. Williams, A. Waterman, D. Patterson: Roofline: an insightful visual performance model
// for multicore architectures, CACM 52(4), 2009. Attainable rate = min(peak rate, intensity *
// bandwidth); as a time this is the maximum over units of (work of the unit / its rate). N. Ding,
// S. Williams: An instruction roofline model for GPUs, PMBS 2019, add a ceiling for each level of
// memory and use warp instructions in place of floating-point operations.
#pragma once

#include <string>
#include <vector>

#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

struct Ceiling {
  std::string unit;  // "issue", "alu", "fma", "special", "l1", "l2 read", "l2 write", "dram"
  double us = 0;     // time for which the launch keeps this unit busy, in microseconds
};

// The ceilings of one execution of the launch (its repeats are not included). Work comes from the
// launch's counters; rates are facts of the device at its clock. Per-SM units exist min(grid, SMs)
// times, once for each SM that has a block; L2 and DRAM serve the whole GPU:
//
//   issue     issued_instructions / issue_rate          alu      alu_instructions / int_logic_rate
//   fma       fma_instructions / fp32_rate              special  xu_instructions / special_rate
//   l1        l1_wavefronts * shared_load_cycles (shared memory and L1 are one port)
//   l2 read   32 l2_read_sectors / l2_read_bandwidth
//   l2 write  32 (l2_write_ + l2_atomic_ + l2_reduction_sectors) / l2_write_bandwidth
//   dram      dram_read_bytes / dram_read_bandwidth + dram_write_bytes / dram_write_bandwidth
//
// Throws error 3 when the launch has no counters or the device lacks one of these facts.
std::vector<Ceiling> roofline_ceilings(const Launch& launch, const DeviceProfile& device);

// The predicted time of the launch in microseconds: launch overhead plus the highest ceiling.
double roofline_us(const Launch& launch, const DeviceProfile& device);

}  // namespace pnsim
