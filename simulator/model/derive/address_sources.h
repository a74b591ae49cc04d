// Inference: what the addresses of accesses depend on. A profile has no addresses; the listing
// tells whether a warp computed them from its place in the grid or from values that it had loaded.
#pragma once

#include <vector>

#include "simulator/model/launch/segment.h"
#include "simulator/model/sass/flow.h"

namespace pnsim {

// [line of the code] for accesses to memory: kLoaded where the address depends on a result of
// memory on some path to the access. Otherwise a load is kCommon where the address does not depend
// on the block of the warp, and all else is kComputed.
std::vector<Addresses> address_sources(const Code& code, const Flow& flow);

}  // namespace pnsim
