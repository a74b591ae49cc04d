#include "gpu/catalogue.h"

#include <algorithm>

#include "gpu/catalogue_rows.h"
#include "simulator/base/error.h"
#include "simulator/base/nearest.h"

namespace pnsim::gpu {
namespace {

const std::vector<Program>& rows() {
  static const std::vector<Program> programs = catalogue_rows();
  return programs;
}

}  // namespace

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

std::span<const Program> catalogue() { return rows(); }

std::vector<std::string> program_names() {
  std::vector<std::string> names;
  for (const Program& program : rows()) names.push_back(program.name);
  return names;
}

const Program& find_program(std::string_view name) {
  for (const Program& program : rows()) {
    if (program.name == name) return program;
  }
  fail_usage("unknown program \"" + std::string(name) + "\"" + suggestion(name, program_names()));
}

}  // namespace pnsim::gpu
