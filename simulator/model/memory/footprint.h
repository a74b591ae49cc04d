// How much of L2 a launch's data take.
#pragma once

#include "simulator/model/launch/heuristics.h"
#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/memory/access_pattern.h"

namespace pnsim {

// The number of different lines that `requests` random requests for one sector each touch.
// `distinct` of the requests are the first to touch their sector. A table that is read over and
// over has a quarter as many lines as sectors. In a sparsely read table almost every request has a
// line of its own.
double lines_of_gathers(double requests, double distinct);

// Bytes: what was read from DRAM, and what the stores write, at most their sectors. L2 keeps whole
// lines of 128 bytes (measured: one sector of each line takes as much room as all four).
struct Footprint {
  double read = 0, written = 0;
  double all() const { return read + written; }
};
Footprint footprint_of(const Launch& launch, const AccessPatterns& patterns,
                       const Heuristics& heuristics);

}  // namespace pnsim
