// A readable listing of the programs of a launch.
#pragma once

#include <string>

#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// The program of each kind of warp, with indented loops and one segment per line, then the kinds of
// the warps of each kind of block. Empty for a launch without segments.
std::string show_programs(const Launch& launch);

}  // namespace pnsim
