// How much of L2 a launch's data take.
#pragma once

#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// Distinct lines that are asked for by so many requests at random, each for a sector, of which
// `distinct` meet sectors that none before met. A table that is asked for over and over has a
// quarter as many lines as sectors; of one that is asked for here and there almost every request
// has a line of its own.
double lines_of_gathers(double requests, double distinct);

// Bytes: what was read from DRAM, and what the stores write, at most their sectors. L2 keeps lines
// of 128 bytes whole (measured: one sector of each takes as much room as all four).
struct Footprint {
  double read = 0, written = 0;
  double all() const { return read + written; }
};
Footprint footprint_of(const Launch& launch);

}  // namespace pnsim
