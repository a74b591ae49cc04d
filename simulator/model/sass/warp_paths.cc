#include "simulator/model/sass/warp_paths.h"

#include <algorithm>
#include <numeric>

namespace pnsim {
namespace {

class PathFinder {
 public:
  PathFinder(const Flow& flow, const PathInputs& in)
      : flow_(flow),
        in_(in),
        all_{in.grid, WarpList(static_cast<std::size_t>(in.warps_per_block))} {
    std::iota(all_.among.begin(), all_.among.end(), std::size_t{0});
    out_.reach.resize(flow.blocks.size());
    out_.own.resize(flow.blocks.size());
    for (const std::size_t b : flow.order) visit(b);
  }

  WarpPaths take() { return std::move(out_); }

 private:
  void visit(std::size_t b) {
    const std::size_t header = in_.loop[b];
    if (header != kNoLoop && header != b) {
      out_.reach[b] = known(out_.reach[header]);
      out_.own[b] = known(out_.own[header]);
      return;
    }
    out_.reach[b] = candidates(b);
    out_.own[b] = part_of(out_.reach[b], b);
  }

  // All warps for a basic block that was not visited: one in a cycle with two entries may come
  // later in the order than a block behind it.
  const WarpPath& known(const WarpPath& path) const { return path.blocks > 0 ? path : all_; }

  // The warps among these that as many pass as the basic block has.
  WarpPath part_of(WarpPath path, std::size_t b) const {
    const std::int64_t passing = in_.passing[b];
    const auto warps = static_cast<std::int64_t>(path.among.size());
    if (warps == 0 || passing <= 0 || passing >= warps * path.blocks) return path;
    const bool fills_blocks = passing % warps == 0;
    const bool is_first = path.blocks == in_.grid && warps == in_.warps_per_block;
    const bool is_of_blocks =
        in_.is_of_blocks[b] || (in_.are_blocks_first && is_first && fills_blocks);
    // The same number of warps of each block have a role. Where data decide, or the block's number,
    // some blocks have more of these warps than others: that is no role.
    if (passing % path.blocks == 0 && !is_of_blocks)
      path.among.resize(static_cast<std::size_t>(passing / path.blocks));
    else if (fills_blocks && warps > 1)
      path.blocks = passing / warps;
    return path;
  }

  WarpPath candidates(std::size_t b) const {
    std::vector<std::size_t> from;  // predecessors outside the block's own loop
    for (const std::size_t p : flow_.blocks[b].previous) {
      if (!flow_.dominates(b, p)) from.push_back(p);
    }
    if (from.empty()) return all_;
    if (from.size() == 1) return side(from[0], b);
    return joined(b, from);
  }

  // The warps that reach the branch, the last ones first on its rarer side.
  WarpPath side(std::size_t p, std::size_t b) const {
    WarpPath path = known(out_.own[p]);
    if (in_.is_rarer_side[b]) std::reverse(path.among.begin(), path.among.end());
    return path;
  }

  // Several ways meet: the warps of all of them, in the order of the branch that divided them.
  WarpPath joined(std::size_t b, const std::vector<std::size_t>& from) const {
    std::vector<bool> comes(static_cast<std::size_t>(in_.warps_per_block), false);
    for (const std::size_t p : from) {
      for (const std::size_t w : along(p, b)) comes[w] = true;
    }
    const WarpPath& before = known(out_.own[flow_.dominator[b]]);
    WarpPath path{before.blocks, {}};
    for (const std::size_t w : before.among) {
      if (comes[w]) path.among.push_back(w);
    }
    const auto needed = static_cast<std::size_t>(in_.passing[b] / before.blocks);
    return path.among.size() >= needed ? path : before;
  }

  // The warps of p without those of its other successor, if only p leads there.
  WarpList along(std::size_t p, std::size_t b) const {
    const std::int64_t blocks = known(out_.own[p]).blocks;
    WarpList warps = known(out_.own[p]).among;
    if (in_.loop[p] != kNoLoop || flow_.blocks[p].next.size() != 2) return warps;
    const auto& next = flow_.blocks[p].next;
    const std::size_t other = next[next[0] == b ? 1 : 0];
    if (flow_.entries_into(other) != 1 || in_.sent(p, other) % blocks != 0) return warps;
    if (in_.is_of_blocks[other]) return warps;
    const auto gone = std::min(static_cast<std::size_t>(in_.sent(p, other) / blocks), warps.size());
    if (in_.is_rarer_side[other]) {
      warps.resize(warps.size() - gone);
    } else {
      warps.erase(warps.begin(), warps.begin() + static_cast<std::ptrdiff_t>(gone));
    }
    return warps;
  }

  const Flow& flow_;
  const PathInputs& in_;
  WarpPath all_;  // the warps of all blocks
  WarpPaths out_;
};

}  // namespace

WarpPaths warp_paths(const Flow& flow, const PathInputs& in) { return PathFinder(flow, in).take(); }

}  // namespace pnsim
