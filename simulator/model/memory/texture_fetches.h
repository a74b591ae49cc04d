// Texture fetches of a launch. The source page lacks their sectors; the counters of the launch have
// the sums.
#pragma once

#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// Means over the fetches of a launch; a fetch is one warp instruction.
struct TextureFetches {
  double count = 0;      // of the launch
  double looked_up = 0;  // sectors that a fetch looks up in L1: at least one per eight lanes
  double sectors = 0;    // different sectors that it requests, at least one
  double l1_hits = 1;    // share of the different sectors that hit L1
};

// From the counters texture_sectors and texture_hit_sectors. Lanes that request the same word look
// it up several times and miss once. Without the second counter, what L2 read beyond the misses of
// loads counts as missed. That is too little where requests of neighbouring SMs are merged before
// they reach L2.
TextureFetches texture_fetches(const Launch& launch);

// Returns the launch with the sectors of its texture accesses filled in.
Launch with_texture_sectors(Launch launch);

}  // namespace pnsim
