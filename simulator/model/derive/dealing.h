// How often each warp executes what: totals over the launch dealt out so that sums are kept.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/model/sass/loops.h"

namespace pnsim {

// What is counted: runs, accesses of runs that are not always carried out, entries and iterations
// of loops. A tally is one number for each, [CountId].
using CountId = std::size_t;
using Tally = std::vector<std::int64_t>;

// An access under a guard that is false for all lanes in some executions of its run.
struct PartialAccess {
  std::size_t line = 0;  // of the code
  CountId count = 0;     // executions that touch memory
};

struct DealtRegion;

struct DealtItem {
  std::vector<std::size_t> lines;  // a run; empty for a loop
  CountId count = 0;               // of the run; entries of the loop
  bool from_end = false;
  std::vector<PartialAccess> partial;  // of the run
  std::vector<DealtRegion> loop;       // one, or none
};

struct DealtRegion {
  CountId iterations = 0;
  bool has_barrier = false;
  std::vector<DealtItem> items;
};

// The shape of a program and its totals over the launch.
struct ProgramShape {
  DealtRegion code;
  Tally totals;
};

// `carried_out` [line]: executions of an access that touch memory; other lines are not looked at.
ProgramShape make_shape(const Code& code, const FlowRegion& flow,
                        const std::vector<std::int64_t>& carried_out);

// Neighbours among N executions of a region that do the same.
struct Share {
  std::int64_t executions = 0;
  Tally each;  // of one of them; counts that are not of the region are 0
};

// Deals `totals` of a region to its N executions. Of a total q N + r the first r (the last, on the
// other side of a branch) get q + 1: who does the rarer thing is among those who do the commoner.
std::vector<Share> deal(const DealtRegion& region, const Tally& totals, std::int64_t executions);

// The same sums in at most two shares, for code so irregular that deal() would make too many: what
// every execution does, and behind it, once, all that is left over.
std::vector<Share> deal_coarsely(const DealtRegion& region, const Tally& totals,
                                 std::int64_t executions);

// Warps of a launch.
struct WarpShares {
  std::vector<Tally> kinds;  // what a warp of each kind executes
  struct Blocks {
    std::int64_t blocks = 0;        // neighbours
    std::vector<std::size_t> kind;  // [warp of the block]
  };
  std::vector<Blocks> blocks;  // in order; together the launch's
};

// Deals the totals of the whole code to the warps of `grid` blocks:
// - what divides by the number of blocks goes to the first warps of each block;
// - what is a number of whole blocks, or lacks less than one block, to the first blocks;
// - all else evenly over the blocks, the first warps of each; or, with `first_blocks`, to the first
// blocks. In a loop with a barrier, a run executed in some of the iterations is executed by few
// warps in all of theirs (a barrier waits for the slowest), in other loops by all warps in some.
WarpShares deal_to_warps(const ProgramShape& shape, std::int64_t grid, std::int64_t warps_per_block,
                         bool first_blocks = false);

}  // namespace pnsim
