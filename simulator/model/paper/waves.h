// Which warps of a launch are resident on the busiest SM together, and how often. A net without
// block slots (the paper's) simulates these waves one by one.
#pragma once

#include <optional>
#include <vector>

#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

struct Wave {
  std::int64_t blocks = 0;
  std::vector<InstructionCounts> warps;  // [warp of the wave]
};

// The busiest SM has ceil(grid / SMs) blocks. They run in `full_waves` waves of the resident blocks
// and, when blocks are left, one tail. A launch that fits at once is one full wave.
struct LaunchWaves {
  std::int64_t full_waves = 0;
  Wave full;
  std::optional<Wave> tail;
};

// Warp i of a wave of W warps represents warp floor((i + 1/2) N / W) of the launch's N, so that
// each kind of warp has its share. Error 3 when a wave has more than kMaxWarps warps.
LaunchWaves launch_waves(const Launch& launch, std::int64_t sms);

}  // namespace pnsim
