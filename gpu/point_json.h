// The JSON form of a point in rows of times and manifests.
#pragma once

#include "gpu/point.h"
#include "simulator/base/json.h"

namespace pnsim::gpu {

// {"n": 1048576, "block": 256}, in the program's order, because row ids are hashes of this text.
inline Json axes_json(const Point& point) {
  Json axes = Json::object();
  for (const auto& [axis, value] : point.axes) axes[axis] = value;
  return axes;
}

inline Json input_json(const Input& input) {
  return {{"distribution", distribution_name(input.distribution)}, {"seed", input.seed}};
}

}  // namespace pnsim::gpu
