// Inference: what the addresses of accesses depend on. A profile has no addresses. The machine code
// shows whether a warp computes them from its place in the grid or from loaded values.
#pragma once

#include <vector>

#include "simulator/model/launch/segment.h"
#include "simulator/model/sass/flow.h"

namespace pnsim {

struct AddressSource {
  // kLoaded: on some path to the access the address depends on a loaded value. kCommon: it is a
  // load whose address does not depend on the warp's block. kComputed: all other accesses.
  Addresses addresses = Addresses::kUnknown;
  // A load whose address depends neither on the thread nor on loaded values: all warps of a block
  // request the same sectors.
  bool is_alike_in_block = false;
  // A branch or an exit whose guard depends on the number of the block, and on nothing else that
  // differs: whole blocks take it.
  bool is_guard_of_block = false;
};

// [line of the code] of accesses to memory, and of guarded branches and exits.
std::vector<AddressSource> address_sources(const Code& code, const Flow& flow);

}  // namespace pnsim
