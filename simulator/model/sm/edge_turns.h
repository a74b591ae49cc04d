// Edges of tiles: a loop in which all warps of a block load once, and a few of them once more.
#pragma once

#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// Where the same number of warps of every block makes a second turn of such a loop (those that load
// what a tile needs beyond its threads), that turn gets segments of its own, behind all others. Its
// lanes are those that the mean of all turns has beyond whole warps in the first, its sectors in
// proportion: so it misses what first turns leave, not as they do. Sums over the launch stay.
Launch with_edge_turns_apart(Launch launch);

}  // namespace pnsim
