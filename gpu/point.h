// One point of an experiment: a program, a value for each of its axes, and its input.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gpu/axis_values.h"
#include "gpu/keys.h"

namespace pnsim::gpu {

struct Point {
  std::string program;  // a name from the catalogue
  AxisValues axes;      // all axes of the program, in its order
  Input input;

  std::int64_t at(std::string_view axis) const { return value_of(axes, axis); }
};

// "n=1048576 block=256"
std::string axes_text(const AxisValues& axes);

// "radix_shared n=1048576 block=256 uniform seed=1"
std::string describe(const Point& point);

}  // namespace pnsim::gpu
