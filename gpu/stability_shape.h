// Shared by the kernel and the reference of the stability program. C++17, because nvcc compiles it.
#pragma once

#include "gpu/axis_values.h"

namespace pnsim::gpu {

// Number of steps of the given length to reach the final time; the last one may go beyond it.
inline unsigned euler_steps(const AxisValues& axes) {
  const std::int64_t step_milli = value_of(axes, "time_step_milli");
  const std::int64_t final_milli = 1000 * value_of(axes, "final_time");
  return static_cast<unsigned>((final_milli + step_milli - 1) / step_milli);
}

}  // namespace pnsim::gpu
