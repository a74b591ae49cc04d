// The clocks of the device in use.
#pragma once

#include <memory>
#include <string>

#include "gpu/nvml.h"

namespace pnsim::gpu {

// Opens NVML for CUDA device 0. NVML has its own numbering, so the device is found by its PCI bus
// id. Returns null and sets `why` on failure.
std::unique_ptr<Nvml> open_clocks(std::string* why);

}  // namespace pnsim::gpu
