#include "gpu/point.h"

namespace pnsim::gpu {

std::string axes_text(const AxisValues& axes) {
  std::string text;
  for (const auto& [axis, value] : axes) {
    text += (text.empty() ? "" : " ") + axis + "=" + std::to_string(value);
  }
  return text;
}

std::string describe(const Point& point) {
  return point.program + " " + axes_text(point.axes) + " " +
         distribution_name(point.input.distribution) + " seed=" + std::to_string(point.input.seed);
}

}  // namespace pnsim::gpu
