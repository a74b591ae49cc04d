// Square blocks of another edge: a warp covers other rows, so its accesses have other sectors and
// lines, and neighbouring blocks share other data.
#pragma once

#include <cstdint>

#include "simulator/model/launch/launch.h"

namespace pnsim {

// Changes the global accesses of `launch`, whose blocks had `edge` x `edge` threads, to those of
// blocks of `new_edge` x `new_edge` threads. Of an access with all lanes, the sectors and lines
// tell how it uses the rows of a warp:
// - a tile: each row has its own words. Where rows are not aligned, they have sectors and lines
//   more, and a block reads the neighbours of its tile;
// - the same words for a whole row, or for a whole column, as in a matrix product: a block reads
//   each of them once, so the misses of all blocks fall with the edge.
// Where both are possible, an access in a loop is taken for one of the second sort. Nothing changes
// for edges that do not divide a warp into whole rows.
void reshape_tiles(std::int64_t edge, std::int64_t new_edge, Launch& launch);

}  // namespace pnsim
