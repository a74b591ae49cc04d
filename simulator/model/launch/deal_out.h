// Sums over a launch become equal shares of its warps.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/model/launch/launch.h"

namespace pnsim {

// Deals `totals` out to `warps` warps: of a total q * warps + r the first r warps get q + 1 and the
// others q, class by class. Neighbours with equal counts share a kind.
std::vector<WarpKind> deal_out(const InstructionCounts& totals, std::int64_t warps);

}  // namespace pnsim
