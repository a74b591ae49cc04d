// What the analytical models (roofline.h, mwp_cwp.h) read of a launch and a device alike.
#pragma once

#include <map>
#include <string>

#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/launch/memory_units.h"

namespace pnsim {

inline constexpr double kBytesOfSector = kSectorBytes;

// The counters of a launch as numbers; one that the profiler did not give is 0.
class LaunchCounters {
 public:
  // Error 3 for a launch that has none at all. `launch` outlives this.
  explicit LaunchCounters(const Launch& launch);

  double at(const std::string& name) const;

 private:
  const std::map<std::string, std::int64_t>& counters_;
};

// What every launch pays, as in the net of an SM (launch_cost.h).
double launch_overhead_us(const Launch& launch, const DeviceProfile& device);

}  // namespace pnsim
