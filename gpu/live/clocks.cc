#include "gpu/live/clocks.h"

#include <array>

#include "gpu/live/cuda_call.h"

namespace pnsim::gpu {

std::unique_ptr<Nvml> open_clocks(std::string* why) {
  std::array<char, 32> bus_id{};
  PNSIM_CUDA(cudaDeviceGetPCIBusId(bus_id.data(), static_cast<int>(bus_id.size()), 0));
  return Nvml::open(bus_id.data(), why);
}

}  // namespace pnsim::gpu
