// One point of an experiment: a program, a value for each of its axes, and its input.
#pragma once

#include <cstdint>
#include <map>
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

// The point with these values in the program's order. Error 2 with the nearest name for an unknown
// axis; otherwise as check_point.
Point make_point(const std::string& program, const std::map<std::string, std::int64_t>& values,
                 const Input& input = {});

// The program's default values, replaced by `values` where given. Errors as make_point.
Point default_point(const std::string& program,
                    const std::map<std::string, std::int64_t>& values = {},
                    const Input& input = {});

// Error 2 unless the program exists and the point has exactly its axes, in its order, with valid
// values.
void check_point(const Point& point);

// "radix_shared n=1048576 block=256 uniform seed=1"
std::string describe(const Point& point);

}  // namespace pnsim::gpu
