// The shape of the stability program: what its kernel and its reference share.
// C++17: nvcc reads it.
#pragma once

#include "gpu/axis_values.h"

namespace pnsim::gpu {

// Steps of the given length that reach the final time; the last one may go beyond it.
inline unsigned euler_steps(const AxisValues& axes) {
  const std::int64_t step_milli = value_of(axes, "time_step_milli");
  const std::int64_t final_milli = 1000 * value_of(axes, "final_time");
  return static_cast<unsigned>((final_milli + step_milli - 1) / step_milli);
}

}  // namespace pnsim::gpu
