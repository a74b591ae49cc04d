#include "gpu/nvml.h"

#include <dlfcn.h>

#include <array>

namespace pnsim::gpu {
namespace {

// The part of NVML's C interface that is used. Every function returns 0 on success.
using DeviceHandle = void*;
constexpr int kSuccess = 0;
constexpr int kInsufficientSize = 7;  // NVML_ERROR_INSUFFICIENT_SIZE
constexpr int kSmClock = 1;           // NVML_CLOCK_SM
constexpr int kMemoryClock = 2;       // NVML_CLOCK_MEM

// Bits of nvmlClocksThrottleReason...
constexpr std::uint64_t kSoftwarePowerCap = 0x4;
constexpr std::uint64_t kHardwareSlowdown = 0x8;
constexpr std::uint64_t kSoftwareThermal = 0x20;
constexpr std::uint64_t kHardwareThermal = 0x40;
constexpr std::uint64_t kHardwarePowerBrake = 0x80;

template <typename Function>
bool load(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

struct Nvml::Functions {
  void* library = nullptr;
  DeviceHandle device = nullptr;
  bool initialized = false;
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*device_by_bus_id)(const char*, DeviceHandle*) = nullptr;
  int (*clock)(DeviceHandle, int, unsigned*) = nullptr;
  int (*max_clock)(DeviceHandle, int, unsigned*) = nullptr;
  int (*throttle_reasons)(DeviceHandle, unsigned long long*) = nullptr;
  int (*driver_version)(char*, unsigned) = nullptr;
  int (*processes)(DeviceHandle, unsigned*, void*) = nullptr;  // older drivers lack it

  ~Functions() {
    if (initialized) shutdown();
    if (library != nullptr) dlclose(library);
  }

  bool load_all() {
    load(library, "nvmlDeviceGetComputeRunningProcesses_v3", processes);
    return load(library, "nvmlInit_v2", init) && load(library, "nvmlShutdown", shutdown) &&
           load(library, "nvmlDeviceGetHandleByPciBusId_v2", device_by_bus_id) &&
           load(library, "nvmlDeviceGetClockInfo", clock) &&
           load(library, "nvmlDeviceGetMaxClockInfo", max_clock) &&
           load(library, "nvmlDeviceGetCurrentClocksThrottleReasons", throttle_reasons) &&
           load(library, "nvmlSystemGetDriverVersion", driver_version);
  }
};

bool is_throttled(std::uint64_t throttle_reasons) {
  constexpr std::uint64_t kHeldDown = kSoftwarePowerCap | kHardwareSlowdown | kSoftwareThermal |
                                      kHardwareThermal | kHardwarePowerBrake;
  return (throttle_reasons & kHeldDown) != 0;
}

std::unique_ptr<Nvml> Nvml::open(const std::string& pci_bus_id, std::string* why,
                                 const char* library) {
  auto functions = std::make_unique<Functions>();
  functions->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (functions->library == nullptr) {
    *why = std::string("no NVML (") + library + "): clocks are not read";
    return nullptr;
  }
  if (!functions->load_all()) {
    *why = "this NVML version lacks a required function: clocks are not read";
    return nullptr;
  }
  functions->initialized = functions->init() == kSuccess;
  if (!functions->initialized ||
      functions->device_by_bus_id(pci_bus_id.c_str(), &functions->device) != kSuccess) {
    *why = "NVML does not know the GPU at " + pci_bus_id + ": clocks are not read";
    return nullptr;
  }
  return std::unique_ptr<Nvml>(new Nvml(std::move(functions)));
}

Nvml::Nvml(std::unique_ptr<Functions> functions) : functions_(std::move(functions)) {}
Nvml::~Nvml() = default;

ClockReading Nvml::read() const {
  ClockReading reading;
  unsigned long long reasons = 0;
  if (functions_->throttle_reasons(functions_->device, &reasons) == kSuccess) {
    reading.throttle_reasons = reasons;
  }
  functions_->clock(functions_->device, kSmClock, &reading.sm_clock_mhz);
  return reading;
}

unsigned Nvml::max_sm_clock_mhz() const {
  unsigned mhz = 0;
  functions_->max_clock(functions_->device, kSmClock, &mhz);
  return mhz;
}

unsigned Nvml::max_memory_clock_mhz() const {
  unsigned mhz = 0;
  functions_->max_clock(functions_->device, kMemoryClock, &mhz);
  return mhz;
}

std::string Nvml::driver_version() const {
  std::array<char, 96> text{};
  return functions_->driver_version(text.data(), text.size()) == kSuccess ? text.data() : "";
}

unsigned Nvml::processes() const {
  if (functions_->processes == nullptr) return 0;
  unsigned count = 0;  // room for none: the driver then says how many there are
  const int result = functions_->processes(functions_->device, &count, nullptr);
  return result == kSuccess || result == kInsufficientSize ? count : 0;
}

unsigned other_processes(unsigned listed, const ProcessBaseline& baseline) {
  const unsigned own =
      baseline.with_us > baseline.before_us ? baseline.with_us - baseline.before_us : 0;
  return listed > own ? listed - own : 0;
}

}  // namespace pnsim::gpu
