// Counters of a launch whose programs were changed for a what-if.
#pragma once

#include "simulator/model/launch/launch.h"

namespace pnsim {

// What the programs of a launch execute, summed over its warps, for the counters of the same.
struct Executed {
  double instructions = 0;
  double load_sectors = 0;  // of global loads
  double textures = 0;      // fetches
  double shared = 0;        // wavefronts of shared memory
  double wavefronts = 0;    // look-ups in L1, and those of shared memory
  double constants = 0;     // constant loads
};
Executed executed_by(const Launch& launch);

// Scales counters of instructions, accesses and wavefronts with what executes them. The sectors
// that loads miss in L1 become `misses` times as many. Bytes of DRAM stay, because the data are the
// same.
void scale_counters(const Executed& before, const Executed& now, double misses, Launch& launch);

}  // namespace pnsim
