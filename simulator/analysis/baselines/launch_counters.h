// The profiler's counters of one launch, as the analytical models (roofline.h, mwp_cwp.h) read
// them.
#pragma once

#include <map>
#include <string>

#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/launch/memory_units.h"

namespace pnsim {

inline constexpr double kBytesOfSector = kSectorBytes;

// The counters of a launch as numbers. A counter that the profiler did not report reads as 0.
class LaunchCounters {
 public:
  // Throws error 3 when the launch has no counters. Keeps a reference: `launch` must outlive it.
  explicit LaunchCounters(const Launch& launch);

  double at(const std::string& name) const;

 private:
  const std::map<std::string, std::int64_t>& counters_;
};

// The fixed overhead of a launch in microseconds, the same as in the SM net (launch_cost.h).
double launch_overhead_us(const Launch& launch, const DeviceProfile& device);

}  // namespace pnsim
