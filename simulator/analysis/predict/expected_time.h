// The time to expect of a launch as it was profiled: where the profiler's own time says more than
// the net does.
#pragma once

#include <optional>

#include "simulator/model/device/device_profile.h"

namespace pnsim {

// From here on, the time under the profiler is nearer to the time in the program than the net's
// prediction is (`experiment table others`).
inline constexpr double kLongProfiledUs = 20;

// What the profiler adds to a short launch in microseconds, the fact profiler_adds_ns: the median
// of the recorded launches of less than kShortLaunchUs in their program (experiments/others; with
// the options --clock-control none and --cache-control none of ncu). Nothing for a device without
// the fact. A test compares those of the shipped devices with the recordings.
inline constexpr double kShortLaunchUs = 2;
std::optional<double> profiler_adds_us(const DeviceProfile& device);

// The time in its program, in microseconds, of a launch that takes at least kLongProfiledUs under
// the profiler: that time less what the profiler adds. Nothing for shorter launches.
std::optional<double> unprofiled_us(const DeviceProfile& device, double profiled_us);

}  // namespace pnsim
