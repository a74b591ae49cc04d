// How far the accesses of a launch go, as the model of an SM has it: which part of its waiting is
// L1's, L2's, DRAM's.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/sm/pipeline.h"

namespace pnsim {

// Shares of 1 of a row of a stack, by name.
using Shares = std::vector<std::pair<std::string, double>>;

struct LaunchLevels {
  // The latency of loads over all executions of the launch: what L1 takes, what L2 adds, what DRAM
  // adds. {"loads", 1} for a launch without counters: its levels are unknown.
  Shares latency;
  // The level whose bandwidth is busy longer: "L2 bandwidth" or "DRAM bandwidth"; "bandwidth" for a
  // launch without counters.
  std::string bandwidth;
  double sm_instructions = 0;  // warp instructions that the busiest SM issues
};

LaunchLevels launch_levels(const Launch& launch, const DeviceProfile& device,
                           const CountFactors& counts = {});
LaunchLevels launch_levels(const SmStages& stages);

}  // namespace pnsim
