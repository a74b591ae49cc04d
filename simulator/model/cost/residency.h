// How the blocks of a launch are distributed over the SMs.
#pragma once

#include <cstdint>

#include "simulator/model/device/device_facts.h"
#include "simulator/model/launch/heuristics.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

struct Residency {
  std::int64_t blocks = 1;     // blocks that work and that the busiest SM executes in total
  std::int64_t slots = 1;      // blocks that are resident on it at a time
  bool several_waves = false;  // more blocks than fit on the SMs at a time
  double rounds = 1;           // of resident blocks, mean over the SMs
  double busy_sms = 1;         // on average, while the busiest one executes its blocks
  double sms_with_blocks = 1;  // on average, until the last block has begun
  double warps_per_block = 1;
};

Residency residency_of(const Launch& launch, const DeviceFacts& facts,
                       const Heuristics& heuristics);

}  // namespace pnsim
