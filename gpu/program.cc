#include "gpu/program.h"

#include <algorithm>

namespace pnsim::gpu {

bool ProgramAxis::takes(std::int64_t value) const {
  if (only_listed) return std::find(values.begin(), values.end(), value) != values.end();
  return least <= value && value <= most;
}

std::string ProgramAxis::range_text() const {
  if (!only_listed) return std::to_string(least) + " to " + std::to_string(most);
  std::string list;
  for (const std::int64_t value : values) {
    list += (list.empty() ? "one of " : ", ") + std::to_string(value);
  }
  return list;
}

const ProgramAxis* Program::find_axis(std::string_view wanted) const {
  for (const ProgramAxis& axis : axes) {
    if (axis.name == wanted) return &axis;
  }
  return nullptr;
}

}  // namespace pnsim::gpu
