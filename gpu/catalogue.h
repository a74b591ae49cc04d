// The catalogue of programs, one row each. Host only: no CUDA is needed to read it.
// A new program is one .cu file in gpu/kernels and one row in catalogue_rows.cc.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/program.h"

namespace pnsim::gpu {

// All programs, in the order in which they are reported.
std::span<const Program> catalogue();

// Error 2 with the nearest name when there is no such program.
const Program& find_program(std::string_view name);

std::vector<std::string> program_names();

}  // namespace pnsim::gpu
