#include "gpu/kernels/kernel_program.h"

#include <algorithm>
#include <cstring>

namespace pnsim::gpu {
namespace {

// Created on first use, because registration runs before main and the order of the files is
// undefined.
std::vector<KernelProgram>& registry() {
  static std::vector<KernelProgram> programs;
  return programs;
}

}  // namespace

bool register_program(const KernelProgram& program) {
  registry().push_back(program);
  return true;
}

std::vector<KernelProgram> registered_programs() {
  std::vector<KernelProgram> programs = registry();
  std::sort(programs.begin(), programs.end(), [](const KernelProgram& a, const KernelProgram& b) {
    return std::strcmp(a.name, b.name) < 0;
  });
  return programs;
}

}  // namespace pnsim::gpu
