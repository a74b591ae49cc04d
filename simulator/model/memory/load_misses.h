// Which loads of a launch miss L1, and L2: the profiler counted how many do in all.
#pragma once

#include <vector>

#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// The loads of one row of a segment's accesses.
struct LoadTraffic {
  double l1_hits = 0;      // share of their sectors
  double l2_misses = 0;    // share of those read at L2
  double idle = 0;         // sectors that a miss fetches beside the one that is asked for
  double table_bytes = 0;  // that are gathered from, as far as hits in L1 tell; 0: unknown, or many
};

// [segment][access]; of a launch without segments empty.
using LoadRows = std::vector<std::vector<LoadTraffic>>;

struct CountedMisses {
  double l1_hits = 0;       // share of the sectors that loads of global memory ask L1 for
  double texture_hits = 0;  // the same of texture fetches
  double fetched = 0;       // sectors read from DRAM for one that misses L1
  double atomics = 0;       // share of the sectors of atomics that miss L2
  double sms = 1;           // that have blocks
  double l1_bytes = 0;      // of an SM, for what blocks do not use as shared memory
};

// Misses of L1 go to loop bodies in the order of their first loads, in a body, and in the code
// between two loops (segments whose numbers follow each other), to loads that gather after the
// others, and to each by what it asks for first. Loads of threads' own memory miss what else L2
// read; atomics always do. What all blocks load misses after all else. Misses of L2 go to accesses
// in the same order, last to all that gather alike.
LoadRows deal_misses(const Launch& launch, const CountedMisses& counted);

}  // namespace pnsim
