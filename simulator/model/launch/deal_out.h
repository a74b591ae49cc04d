// Equal shares of a launch's sums for its warps.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/model/launch/launch.h"

namespace pnsim {

// Deals `totals` to `warps` warps, class by class: of a total q * warps + r the first r warps get
// q + 1 and the others q. Neighbours with equal counts are one kind.
std::vector<WarpKind> deal_out(const InstructionCounts& totals, std::int64_t warps);

}  // namespace pnsim
