// Facts of the device, each with its source.
#include <string>

#include "gpu/checked_point.h"
#include "gpu/live.h"
#include "gpu/live/clocks.h"
#include "gpu/live/cuda_call.h"
#include "gpu/live/device_run.h"
#include "simulator/base/error.h"

namespace pnsim::gpu {
namespace {

// 13000 -> "13.0", 12080 -> "12.8": CUDA encodes a version as one number.
std::string cuda_version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

// An attribute of device 0, by its runtime name.
struct AttributeRow {
  const char* name;
  cudaDeviceAttr attribute;
  const char* unit;
  const char* source;
};

constexpr AttributeRow kAttributes[] = {
    {"sms", cudaDevAttrMultiProcessorCount, "SM", "cudaDevAttrMultiProcessorCount"},
    {"max_sm_clock", cudaDevAttrClockRate, "kHz", "cudaDevAttrClockRate"},
    {"memory_clock", cudaDevAttrMemoryClockRate, "kHz", "cudaDevAttrMemoryClockRate"},
    {"memory_bus_width", cudaDevAttrGlobalMemoryBusWidth, "bit", "cudaDevAttrGlobalMemoryBusWidth"},
    {"l2_bytes", cudaDevAttrL2CacheSize, "byte", "cudaDevAttrL2CacheSize"},
    {"warp_size", cudaDevAttrWarpSize, "thread", "cudaDevAttrWarpSize"},
    {"shared_memory_per_sm", cudaDevAttrMaxSharedMemoryPerMultiprocessor, "byte",
     "cudaDevAttrMaxSharedMemoryPerMultiprocessor"},
    {"shared_memory_per_block", cudaDevAttrMaxSharedMemoryPerBlock, "byte",
     "cudaDevAttrMaxSharedMemoryPerBlock"},
    {"shared_memory_per_block_optin", cudaDevAttrMaxSharedMemoryPerBlockOptin, "byte",
     "cudaDevAttrMaxSharedMemoryPerBlockOptin"},
    {"reserved_shared_memory_per_block", cudaDevAttrReservedSharedMemoryPerBlock, "byte",
     "cudaDevAttrReservedSharedMemoryPerBlock"},
    {"registers_per_sm", cudaDevAttrMaxRegistersPerMultiprocessor, "register",
     "cudaDevAttrMaxRegistersPerMultiprocessor"},
    {"registers_per_block", cudaDevAttrMaxRegistersPerBlock, "register",
     "cudaDevAttrMaxRegistersPerBlock"},
    {"max_threads_per_sm", cudaDevAttrMaxThreadsPerMultiProcessor, "thread",
     "cudaDevAttrMaxThreadsPerMultiProcessor"},
    {"max_threads_per_block", cudaDevAttrMaxThreadsPerBlock, "thread",
     "cudaDevAttrMaxThreadsPerBlock"},
    {"max_blocks_per_sm", cudaDevAttrMaxBlocksPerMultiprocessor, "block",
     "cudaDevAttrMaxBlocksPerMultiprocessor"},
    {"ecc", cudaDevAttrEccEnabled, "", "cudaDevAttrEccEnabled"},
};

int attribute_of(cudaDeviceAttr attribute) {
  int value = 0;
  PNSIM_CUDA(cudaDeviceGetAttribute(&value, attribute, 0));
  return value;
}

int major() { return attribute_of(cudaDevAttrComputeCapabilityMajor); }

DeviceFact text_fact(std::string name, std::string text, std::string source) {
  return {std::move(name), 0, "", std::move(source), std::move(text)};
}

// The runtime has no attribute for it. Volta (7.0) and all later architectures have four.
DeviceFact schedulers_fact() {
  if (major() >= 7) {
    return {"schedulers_per_sm", 4, "scheduler",
            "CUDA C++ Programming Guide, one section per compute capability: 4 from 7.0 on", ""};
  }
  fail_unavailable("compute capability below 7.0: the number of warp schedulers is not known");
}

void add_attribute_facts(DeviceFacts& device) {
  for (const AttributeRow& row : kAttributes) {
    device.facts.push_back(
        {row.name, static_cast<double>(attribute_of(row.attribute)), row.unit, row.source, ""});
  }
  const double warps = device.fact("max_threads_per_sm").value / device.fact("warp_size").value;
  device.facts.push_back({"max_warps_per_sm", warps, "warp", "max_threads_per_sm / warp_size", ""});
  device.facts.push_back(schedulers_fact());
}

void add_memory_facts(DeviceFacts& device) {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  PNSIM_CUDA(cudaMemGetInfo(&free_bytes, &total_bytes));
  device.facts.push_back(
      {"memory_bytes", static_cast<double>(total_bytes), "byte", "cudaMemGetInfo", ""});
  // Double data rate: two transfers per memory clock.
  const double bytes_per_s = 2.0 * device.fact("memory_clock").value * 1000.0 *
                             device.fact("memory_bus_width").value / 8.0;
  device.facts.push_back({"memory_bandwidth_peak", bytes_per_s, "byte/s",
                          "2 * memory_clock * memory_bus_width / 8", ""});
}

void add_names(DeviceFacts& device) {
  cudaDeviceProp properties{};
  PNSIM_CUDA(cudaGetDeviceProperties(&properties, 0));
  device.name = properties.name;
  device.sms = static_cast<unsigned>(properties.multiProcessorCount);
  device.compute_capability =
      std::to_string(properties.major) + "." + std::to_string(properties.minor);
  int runtime = 0;
  int driver = 0;
  PNSIM_CUDA(cudaRuntimeGetVersion(&runtime));
  PNSIM_CUDA(cudaDriverGetVersion(&driver));
  device.cuda = cuda_version(runtime);
  device.driver = "CUDA " + cuda_version(driver);
  device.facts.push_back(text_fact("name", device.name, "cudaDeviceProp.name"));
  device.facts.push_back(
      text_fact("compute_capability", device.compute_capability, "cudaDeviceProp.major, .minor"));
  device.facts.push_back(text_fact("cuda_runtime", device.cuda, "cudaRuntimeGetVersion"));
  device.facts.push_back(
      text_fact("cuda_driver_api", cuda_version(driver), "cudaDriverGetVersion"));
}

void add_nvml_facts(DeviceFacts& device) {
  std::string why;
  const std::unique_ptr<Nvml> nvml = open_clocks(&why);
  if (!nvml) return;
  device.driver = nvml->driver_version();
  device.facts.push_back(text_fact("driver", device.driver, "nvmlSystemGetDriverVersion"));
  device.facts.push_back({"max_sm_clock_nvml", static_cast<double>(nvml->max_sm_clock_mhz()), "MHz",
                          "nvmlDeviceGetMaxClockInfo, NVML_CLOCK_SM", ""});
  device.facts.push_back({"max_memory_clock_nvml",
                          static_cast<double>(nvml->max_memory_clock_mhz()), "MHz",
                          "nvmlDeviceGetMaxClockInfo, NVML_CLOCK_MEM", ""});
}

KernelFacts facts_of(const Launch& launch) {
  cudaFuncAttributes attributes{};
  PNSIM_CUDA(cudaFuncGetAttributes(&attributes, launch.function));
  permit_shared_memory(launch);
  int resident = 0;
  PNSIM_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &resident, launch.function, static_cast<int>(launch.block.count()), launch.shared_bytes));
  return {.kernel = launch.kernel,
          .grid = launch.grid.count(),
          .block = launch.block.count(),
          .registers_per_thread = static_cast<unsigned>(attributes.numRegs),
          .shared_bytes_per_block =
              static_cast<unsigned>(attributes.sharedSizeBytes) + launch.shared_bytes,
          .local_bytes_per_thread = static_cast<unsigned>(attributes.localSizeBytes),
          .resident_blocks_per_sm = static_cast<unsigned>(resident)};
}

}  // namespace

bool live_built() { return true; }

std::optional<std::string> unavailable_reason() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0) return std::nullopt;
  // Without a driver the runtime reports "insufficient driver" instead of "no device".
  cudaGetLastError();
  const std::string said = error == cudaSuccess ? "no device" : cudaGetErrorString(error);
  return "no GPU can be used here (the CUDA runtime says: " + said +
         "): run on a machine with an NVIDIA GPU and a driver for CUDA " +
         cuda_version(CUDART_VERSION) + " or newer, or use the recorded measurements";
}

DeviceFacts query_device() {
  if (const auto reason = unavailable_reason()) fail_unavailable(*reason);
  DeviceFacts device;
  add_names(device);
  add_nvml_facts(device);
  add_attribute_facts(device);
  add_memory_facts(device);
  return device;
}

std::vector<KernelFacts> kernel_facts(const Point& point) {
  if (const auto reason = unavailable_reason()) fail_unavailable(*reason);
  check_point(point);
  std::vector<KernelFacts> facts;
  for (const Launch& launch : shapes_of_launches(point)) facts.push_back(facts_of(launch));
  return facts;
}

}  // namespace pnsim::gpu
