// The clocks of the device in use.
#pragma once

#include <memory>
#include <string>

#include "gpu/nvml.h"

namespace pnsim::gpu {

// NVML for CUDA device 0 (NVML numbers devices in its own way: found by PCI bus id). Null with
// `why` set where it cannot be had.
std::unique_ptr<Nvml> open_clocks(std::string* why);

}  // namespace pnsim::gpu
