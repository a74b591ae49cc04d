// Texture fetches of a launch. The source page does not tell their sectors; the profiler's sums do.
#pragma once

#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// All fetches alike; a fetch is a warp's.
struct TextureFetches {
  double count = 0;      // of the launch
  double looked_up = 0;  // sectors a fetch looks up in L1, one for eight lanes at least
  double sectors = 0;    // different sectors it requests, at least one
  double l1_hits = 1;    // share of those
};

// From the counters texture_sectors and texture_hit_sectors. Lanes that request the same word look
// it up several times and miss once. Without the second counter, what L2 read beyond the misses of
// loads counts as missed. That is too little where requests of neighbouring SMs are merged on their
// way to L2.
TextureFetches texture_fetches(const Launch& launch);

// Accesses of class texture get their sectors.
Launch with_texture_sectors(Launch launch);

}  // namespace pnsim
