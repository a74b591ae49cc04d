// A point in the rows that name it: times and manifests.
#pragma once

#include "gpu/point.h"
#include "simulator/base/json.h"

namespace pnsim::gpu {

// {"n": 1048576, "block": 256}, in the program's order: ids of rows are hashes of it.
inline Json axes_json(const Point& point) {
  Json axes = Json::object();
  for (const auto& [axis, value] : point.axes) axes[axis] = value;
  return axes;
}

inline Json input_json(const Input& input) {
  return {{"distribution", distribution_name(input.distribution)}, {"seed", input.seed}};
}

}  // namespace pnsim::gpu
