// Clocks and throttling as the driver reports them. NVML is opened at run time. So the program
// starts on machines without a driver, and measures (without clocks) where NVML is missing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace pnsim::gpu {

struct ClockReading {
  unsigned sm_clock_mhz = 0;
  std::uint64_t throttle_reasons = 0;  // bit set of NVML; 0: none
};

// True when the bits report a reduced clock: power, temperature, or a hardware brake. Idle,
// user-set clocks, sync boost and display clocks do not invalidate a sample.
bool is_throttled(std::uint64_t throttle_reasons);

class Nvml {
 public:
  // Opens the GPU with this PCI bus id ("0000:01:00.0"). Returns null when the library or the
  // device cannot be opened, and sets `why` to one sentence.
  static std::unique_ptr<Nvml> open(const std::string& pci_bus_id, std::string* why,
                                    const char* library = "libnvidia-ml.so.1");
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  ClockReading read() const;  // fields that the driver refuses stay 0
  unsigned max_sm_clock_mhz() const;
  unsigned max_memory_clock_mhz() const;
  std::string driver_version() const;  // "580.159.04"; "" when refused
  // Entries in the driver's list of processes that compute on the GPU, this one's included. In a
  // container the driver may hide processes; then 0.
  unsigned processes() const;

 private:
  struct Functions;
  explicit Nvml(std::unique_ptr<Functions> functions);

  std::unique_ptr<Functions> functions_;
};

// How long the driver's list of processes was before this process used the GPU, and once it did.
// Its own entries cannot be told by their number: in a container the list has other process ids.
struct ProcessBaseline {
  unsigned before_us = 0, with_us = 1;
};

// The entries of a list of this length that are other processes'.
unsigned other_processes(unsigned listed, const ProcessBaseline& baseline);

}  // namespace pnsim::gpu
