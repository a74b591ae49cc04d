// Edges of tiles: a loop in which all warps of a block load once, and a few of them once more.
#pragma once

#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// Where the same number of warps of every block executes a second iteration of such a loop (those
// that load what a tile needs beyond its threads), that iteration gets segments of its own, behind
// all others. The first iterations are taken to have whole warps; the second one has the lanes that
// are left of the mean, and its sectors in proportion. So it misses what first iterations leave,
// not as they do. Sums over the launch stay.
Launch with_edge_iterations_apart(Launch launch);

}  // namespace pnsim
