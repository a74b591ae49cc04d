#include "simulator/analysis/predict/expected_time.h"

namespace pnsim {

std::optional<double> profiler_adds_us(std::string_view device) {
  if (device == "h200") return 0.93;
  if (device == "h100") return 1.28;
  return std::nullopt;
}

std::optional<double> unprofiled_us(std::string_view device, double profiled_us) {
  const std::optional<double> added = profiler_adds_us(device);
  if (!added || !(profiled_us >= kLongProfiledUs)) return std::nullopt;
  return profiled_us - *added;
}

}  // namespace pnsim
