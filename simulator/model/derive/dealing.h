// Inference: how often each warp executes each part of the code. Totals over the launch are dealt
// to its warps so that they still add up.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "simulator/model/sass/loops.h"

namespace pnsim {

// A count is the executions of a run, the executions of a guarded access, or the entries or
// iterations of a loop. A tally has one number for each count: [CountId].
using CountId = std::size_t;
using Tally = std::vector<std::int64_t>;

// An access whose guard is false for all lanes in some executions of its run.
struct PartialAccess {
  std::size_t line = 0;  // of the code
  CountId count = 0;     // executions that touch memory
};

struct DealtRegion;

struct DealtItem {
  std::vector<std::size_t> lines;  // a run; empty for a loop
  CountId count = 0;               // of the run; entries of the loop
  bool from_end = false;
  std::int64_t ended_blocks = 0;       // as in FlowItem
  bool is_inner_part = false;          // the inner one of two loops with one header
  bool is_of_blocks = false;           // whole blocks execute it, or none of their warps
  WarpPath path;                       // as in FlowItem
  std::vector<PartialAccess> partial;  // of the run
  std::vector<DealtRegion> loop;       // one, or none
};

struct DealtRegion {
  CountId iterations = 0;
  bool has_barrier = false;  // of the whole block, in it or in a loop in it
  std::vector<DealtItem> items;
};

// The shape of a program and its totals over the launch.
struct ProgramShape {
  DealtRegion code;
  Tally totals;
};

// `active` [line]: executions of an access that touch memory (active_accesses.h). `block_threads`
// tells barriers of the whole block from those of some warps.
ProgramShape make_shape(const Code& code, const FlowRegion& flow,
                        const std::vector<std::int64_t>& active, std::int64_t block_threads);

// Executed instructions of an item, the loops in it included.
double work_of(const DealtItem& item, const Tally& totals);

// Visits all counts of a region and of the loops in it.
void each_count(const DealtRegion& region, const std::function<void(CountId)>& visit);

// Consecutive executions of a region that have equal counts.
struct Share {
  std::int64_t executions = 0;
  Tally each;  // counts of one of them; 0 for counts outside the region
};

// Deals `totals` of a region to its N executions. Each total is q N + r: the first r executions get
// q + 1, and the others q. On the other side of a branch the last r executions get q + 1. So the
// executions of rarer code are a subset of those of more common code.
std::vector<Share> deal(const DealtRegion& region, const Tally& totals, std::int64_t executions);

// The same sums in at most two shares, for irregular code that deal() would cut into too many
// shares. The first share has the counts that all executions have in common. The second share is
// one execution with the remainder.
std::vector<Share> deal_coarsely(const DealtRegion& region, const Tally& totals,
                                 std::int64_t executions);

// Warps of a launch.
struct WarpShares {
  std::vector<Tally> kinds;  // counts of one warp of each kind
  struct Blocks {
    std::int64_t blocks = 0;        // neighbours
    std::vector<std::size_t> kind;  // [warp of the block]
  };
  std::vector<Blocks> blocks;  // in order; together the launch's
};

// Deals the totals of the whole code to the warps of `grid` blocks.
// - A total that is a multiple of the number of blocks goes to the first warps of each block.
// - A total that is a multiple of a block's warps goes to the first blocks. So does a total that is
//   short of all warps of the launch by less than one block, and one of code that whole blocks
//   execute.
// - All other totals are spread evenly over the blocks, and go to the first warps of each. With
//   `first_blocks` they go to the first blocks.
// - Code that only some warps of a block reach, or only some blocks, is dealt to these alike.
// A run, or an inner loop, may be executed in only some iterations of a loop. With a barrier in the
// loop few warps execute it in all of their iterations (a barrier waits for the slowest warp),
// where the same warps of each block enter the loop. In other loops all warps execute it in some
// iterations.
WarpShares deal_to_warps(const ProgramShape& shape, std::int64_t grid, std::int64_t warps_per_block,
                         bool first_blocks = false);

}  // namespace pnsim
