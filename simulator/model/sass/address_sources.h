// Where an address comes from: a warp computed it from its place in the grid, or in its block
// alone, or from what it had loaded.
#pragma once

#include <vector>

#include "simulator/model/launch/segment.h"
#include "simulator/model/sass/flow.h"

namespace pnsim {

// [line of the code] of an access to memory: kLoaded where its address depends on a result of
// memory, on some way that leads to it; else, of a load, kCommon where it does not depend on which
// block the warp is of.
std::vector<Addresses> address_sources(const Code& code, const Flow& flow);

}  // namespace pnsim
