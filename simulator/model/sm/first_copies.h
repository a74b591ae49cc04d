// Copies of one warp that others wait for (mbarriers): the start of such a pipeline.
#pragma once

#include <cstddef>
#include <vector>

#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// Where warps of a block issue bulk copies, the profile does not tell which test of an mbarrier
// waits for which copy. Later copies are issued stages ahead, but nothing can be computed before
// the first one has arrived. So all warps of the block wait for each other there (a barrier): those
// that copy when their first copy has arrived, and the others before their first product of
// matrices, or where they begin if they multiply none. `origins` [segment of the result] is
// extended by the segments at which the new ones stand; an empty one means that each segment is its
// own.
Launch with_first_copies_awaited(Launch launch, std::vector<std::size_t>& origins);

}  // namespace pnsim
