#include "simulator/analysis/predict/expected_time.h"

namespace pnsim {

std::optional<double> profiler_adds_us(const DeviceProfile& device) {
  constexpr const char* kFact = "profiler_adds_ns";
  if (!device.facts.contains(kFact)) return std::nullopt;
  return device.value(kFact) / 1000;
}

std::optional<double> unprofiled_us(const DeviceProfile& device, double profiled_us) {
  const std::optional<double> added = profiler_adds_us(device);
  if (!added || !(profiled_us >= kLongProfiledUs)) return std::nullopt;
  return profiled_us - *added;
}

}  // namespace pnsim
