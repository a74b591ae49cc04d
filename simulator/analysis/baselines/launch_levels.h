// How far the accesses of a launch go: what of its waiting is L1's, L2's, DRAM's.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// Shares of 1 of a row of a stack, by name.
using Shares = std::vector<std::pair<std::string, double>>;

// Of the latency of a load, the slowest of those that a block makes together: what L1 takes, what
// L2 adds, what DRAM adds.
Shares latency_shares(const Launch& launch, const DeviceProfile& device);

// Which of the bandwidths would be busy longest: "L2 bandwidth" or "DRAM bandwidth".
std::string bandwidth_level(const Launch& launch, const DeviceProfile& device);

// Warp instructions that the busiest SM issues.
double instructions_of_sm(const Launch& launch, const DeviceProfile& device);

}  // namespace pnsim
