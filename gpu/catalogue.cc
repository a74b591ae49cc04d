#include "gpu/catalogue.h"

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
