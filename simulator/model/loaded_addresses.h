// Where an address comes from: a warp computed it from its place in the grid, or from what it had loaded.
#pragma once

#include <vector>

#include "simulator/model/flow.h"

namespace pnsim {

// [line of the code] an access to memory whose address depends on a result of memory, on some way that leads to it.
std::vector<bool> has_loaded_address(const Code& code, const Flow& flow);

}  // namespace pnsim
