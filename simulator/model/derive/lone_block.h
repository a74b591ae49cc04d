// Inference: work of one block that totals do not show, such as the longest rows of a sparse
// matrix. The excess of the busiest SM over the others tells how much it is.
#pragma once

#include "simulator/model/derive/dealing.h"
#include "simulator/model/derive/warp_table.h"

namespace pnsim {

// The shape without the block's own work, and the counts of this work.
struct LoneBlock {
  ProgramShape others;
  Tally counts;                       // 0 outside the loop
  const DealtRegion* loop = nullptr;  // of `shape`; none if no loop has iterations beside entries
};

// The work of so many warp instructions: iterations of the loop that has most instructions in
// iterations beyond one for each entry; at most those.
LoneBlock take_lone_block(const ProgramShape& shape, double instructions);

// Gives the counts to all warps of the first block that executes the loop.
void give_to_block(const LoneBlock& lone, std::vector<WarpTable>& tables);

}  // namespace pnsim
