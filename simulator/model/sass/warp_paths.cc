#include "simulator/model/sass/warp_paths.h"

#include <algorithm>
#include <numeric>

namespace pnsim {
namespace {

class PathFinder {
 public:
  PathFinder(const Flow& flow, const PathInputs& in) : flow_(flow), in_(in) {
    among_.resize(flow.blocks.size());
    own_.resize(flow.blocks.size());
    for (const std::size_t b : flow.order) visit(b);
  }

  std::vector<WarpList> take() { return std::move(among_); }

 private:
  void visit(std::size_t b) {
    const std::size_t header = in_.loop[b];
    if (header != kNoLoop && header != b) {
      among_[b] = among_[header];
      own_[b] = own_[header];
      return;
    }
    among_[b] = candidates(b);
    own_[b] = among_[b];
    if (in_.passing[b] % in_.grid == 0 && !in_.is_of_blocks[b])
      own_[b].resize(std::min(own_[b].size(), of_a_block(in_.passing[b])));
  }

  // The same number of warps of each block have a role. Where data decide, or the block's number,
  // some blocks have more of these warps than others: that is no role.
  std::size_t of_a_block(std::int64_t warps) const {
    return static_cast<std::size_t>(warps / in_.grid);
  }

  WarpList candidates(std::size_t b) const {
    std::vector<std::size_t> from;  // predecessors outside the block's own loop
    for (const std::size_t p : flow_.blocks[b].previous) {
      if (!flow_.dominates(b, p)) from.push_back(p);
    }
    if (from.empty()) {
      WarpList all(static_cast<std::size_t>(in_.warps_per_block));
      std::iota(all.begin(), all.end(), std::size_t{0});
      return all;
    }
    if (from.size() == 1) return side(from[0], b);
    return joined(b, from);
  }

  // The warps that reach the branch, the last ones first on its rarer side.
  WarpList side(std::size_t p, std::size_t b) const {
    WarpList warps = own_[p];
    if (in_.is_rarer_side[b]) std::reverse(warps.begin(), warps.end());
    return warps;
  }

  // Several ways meet: the warps of all of them, in the order of the branch that divided them.
  WarpList joined(std::size_t b, const std::vector<std::size_t>& from) const {
    std::vector<bool> comes(static_cast<std::size_t>(in_.warps_per_block), false);
    for (const std::size_t p : from) {
      for (const std::size_t w : along(p, b)) comes[w] = true;
    }
    WarpList warps;
    for (const std::size_t w : own_[flow_.dominator[b]]) {
      if (comes[w]) warps.push_back(w);
    }
    const bool is_enough = warps.size() >= of_a_block(in_.passing[b]);
    return is_enough ? warps : own_[flow_.dominator[b]];
  }

  // The warps of p without those of its other successor, if only p leads there.
  WarpList along(std::size_t p, std::size_t b) const {
    WarpList warps = own_[p];
    if (in_.loop[p] != kNoLoop || flow_.blocks[p].next.size() != 2) return warps;
    const auto& next = flow_.blocks[p].next;
    const std::size_t other = next[next[0] == b ? 1 : 0];
    if (flow_.entries_into(other) != 1 || in_.sent(p, other) % in_.grid != 0) return warps;
    if (in_.is_of_blocks[other]) return warps;
    const auto gone = std::min(of_a_block(in_.sent(p, other)), warps.size());
    if (in_.is_rarer_side[other]) {
      warps.resize(warps.size() - gone);
    } else {
      warps.erase(warps.begin(), warps.begin() + static_cast<std::ptrdiff_t>(gone));
    }
    return warps;
  }

  const Flow& flow_;
  const PathInputs& in_;
  std::vector<WarpList> among_, own_;
};

}  // namespace

std::vector<WarpList> warp_paths(const Flow& flow, const PathInputs& in) {
  return PathFinder(flow, in).take();
}

}  // namespace pnsim
