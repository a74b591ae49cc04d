// Bulk copies (TMA) of some warps, for which products of matrices of other warps wait (mbarriers).
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/model/launch/launch.h"
#include "simulator/model/launch/sm_phases.h"
#include "simulator/model/sm/warp_rows.h"

namespace pnsim {

// A block has a ring of stages in shared memory. A copy takes free stages and fills them when it
// lands; products take filled stages and free them. The profile does not say which test of an
// mbarrier waits for which copy, so the copies of a block are shared out evenly among its products,
// in order: before product k of n, k / n of the copies have landed. The ring has as many stages as
// copies fit into the shared memory of a block, less those of one product.
//
// True where the page counts what SMs take in (a stage's bytes), every block that copies has
// products, and all of its warps come to their ends so, the barriers of the block included, whether
// the first or the last warps go first: a wrong guess must not leave the net dead.
bool has_bulk_stages(const Launch& launch);

// Marks the segments with bulk copies as waited for (Segment::awaits_bulk_copies).
void mark_bulk_copies(Launch& launch);

// Where bulk copies are waited for: changes the programs of warps [kind] and adds costs, so that
// segments fill and drain the ring (SegmentCost::fills, ::drains). Returns the tokens of the ring;
// 0, and changes nothing, where the programs do not come to their ends so. ProgramItem::segment is
// a number of `costs`. A row of the net has one countdown for its copies. So that all stages can be
// on their way, a loop that copies gets as many copies of its body.
std::int64_t add_bulk_stages(const Launch& launch, const std::vector<Phase>& phases,
                             std::vector<std::vector<ProgramItem>>& programs, ProgramCosts& costs);

}  // namespace pnsim
