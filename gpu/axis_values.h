// A value for each axis of a program. The host code and the kernel files share this type. C++17,
// because nvcc compiles it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/base/error.h"

namespace pnsim::gpu {

// In the order of the program's row in the catalogue: {{"n", 1048576}, {"block", 256}}.
using AxisValues = std::vector<std::pair<std::string, std::int64_t>>;

// Error 70 for an axis that does not exist.
inline std::int64_t value_of(const AxisValues& axes, std::string_view name) {
  for (const auto& [axis, value] : axes) {
    if (axis == name) return value;
  }
  throw Error(ExitCode::kInternal, "the point has no axis \"" + std::string(name) + "\"");
}

// The same for the kernel files, whose numbers are 32-bit; the ranges of the catalogue ensure that
// the value fits.
inline unsigned unsigned_of(const AxisValues& axes, std::string_view name) {
  return static_cast<unsigned>(value_of(axes, name));
}

}  // namespace pnsim::gpu
