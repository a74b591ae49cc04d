// Groups of asynchronous copies (cp.async) that stay in flight over several iterations of a loop. A
// wait that leaves n groups in flight (cp.async.wait_group n) waits for those before, which were
// issued iterations ago.
#pragma once

#include <vector>

#include "simulator/model/launch/launch.h"
#include "simulator/model/sm/warp_rows.h"

namespace pnsim {

// Changes the programs of warps and adds costs, so that segments say how many groups land with
// their copies, and how many must have landed before they begin (SegmentCost::groups, ::awaited).
// ProgramItem::segment is a number of `costs`, of the segment of the launch at its remainder by
// their count.
//
// The profile says how many groups the commonest wait leaves (Segment::copy_stages). That is taken
// for all waits before the last group; behind the loops that copy none is left. A row of the net
// has one countdown for its loads. So that the copies of several iterations can be on their way, a
// loop gets as many copies of its body as iterations are in flight.
//
// A program keeps its shares of the latency (Segment::copy_stages)
// - where nothing stays in flight, or a segment both loads and copies or ends a group;
// - where a loop begins with fewer groups than its waits leave, or nothing can wait for the last
// ones;
// - where copies in a loop belong to a group that ends behind it, or in the next iteration;
// - where the copies of bodies would make it too long for a net.
// Tokens of groups are alike: a wait takes any that landed, and a group without copies lands at
// once although an older one may not have.
void wait_for_copy_groups(const Launch& launch, std::vector<std::vector<ProgramItem>>& programs,
                          ProgramCosts& costs);

}  // namespace pnsim
