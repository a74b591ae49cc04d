// The blocks that one SM executes of a launch.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/model/launch/heuristics.h"
#include "simulator/model/launch/launch.h"
#include "simulator/model/launch/warp_sums.h"

namespace pnsim {

// Blocks with the same kinds of warps, in launch order.
struct Phase {
  std::int64_t blocks = 0;
  std::vector<std::size_t> kinds;  // [warp of the block]
};

// All blocks of the launch.
std::vector<Phase> phases_of(const Launch& launch);

// The blocks of the grid without those that end at once, in a launch of several waves: the next
// block takes their place at once, so they do not fill a wave. The grid where no block, or every
// one, works (heuristic idle-blocks).
std::int64_t working_blocks(const Launch& launch, std::int64_t sms,
                            const Heuristics& heuristics = {});

// The kinds of these blocks, with all of their blocks.
std::vector<Phase> working_phases(const Launch& launch, std::int64_t sms,
                                  const Heuristics& heuristics = {});

// The blocks of an SM that executes `blocks` of the working_blocks(): each kind has its share of
// the launch, rounded up for the first kinds. Beside them it executes its share of the blocks that
// end at once, rounded down. More than 8 kinds are reduced to 8: the smallest neighbours are
// merged. Where all blocks are resident together, on as many SMs as when the launch was profiled,
// and the busiest scheduler was counted to execute over 1.15 times as much as that SM's, the blocks
// are those of the SM that comes nearest to the count (heuristic counted-sm).
std::vector<Phase> phases_of_sm(const Launch& launch, std::int64_t sms, std::int64_t blocks,
                                const Heuristics& heuristics = {});

// Instructions of the busiest scheduler of an SM that executes these blocks. The warps of the
// blocks go to the schedulers in turn; blocks of as many warps as schedulers, or a multiple, begin
// one scheduler further than the block before.
double busiest_scheduler(const std::vector<Phase>& phases, const WarpSums& instructions);

// All blocks of these phases.
std::int64_t sum_of_blocks(const std::vector<Phase>& phases);

}  // namespace pnsim
