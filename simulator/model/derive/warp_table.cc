#include "simulator/model/derive/warp_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace pnsim {
namespace {

double weight_of(const BlockShares& range) {
  return static_cast<double>(range.blocks) *
         static_cast<double>(
             std::accumulate(range.warps.begin(), range.warps.end(), std::int64_t{0}));
}

}  // namespace

bool is_idle(const BlockShares& range) {
  return std::all_of(range.warps.begin(), range.warps.end(),
                     [](std::int64_t share) { return share == 0; });
}

void move_to_end(std::int64_t blocks, WarpTable& table) {
  while (blocks > 0) {
    const BlockShares first = table.front();
    const std::int64_t moved = std::min(blocks, first.blocks);
    if (moved == first.blocks)
      table.erase(table.begin());
    else
      table.front().blocks -= moved;
    table.push_back({moved, first.warps});
    blocks -= moved;
  }
}

BlockShares within_block(std::int64_t blocks, std::int64_t total,
                         const std::vector<std::int64_t>& entering) {
  BlockShares out{blocks, std::vector<std::int64_t>(entering.size(), 0)};
  const std::int64_t count =
      std::count_if(entering.begin(), entering.end(), [](std::int64_t e) { return e > 0; });
  std::int64_t place = 0;
  for (std::size_t w = 0; w < entering.size(); ++w) {
    if (entering[w] == 0) continue;
    out.warps[w] = total / count + (place++ < total % count ? 1 : 0);
  }
  return out;
}

BlockShares in_block_by_shares(std::int64_t blocks, std::int64_t total,
                               const std::vector<std::int64_t>& outer) {
  std::vector<std::int64_t> entering;
  for (const std::int64_t share : outer) {
    if (share > 0) entering.push_back(share);
  }
  if (std::adjacent_find(entering.begin(), entering.end(), std::not_equal_to<>()) == entering.end())
    return within_block(blocks, total, outer);
  const auto all = static_cast<double>(std::accumulate(outer.begin(), outer.end(), 0LL));
  BlockShares out{blocks, {}};
  std::int64_t before = 0, dealt = 0;
  for (const std::int64_t share : outer) {
    before += share;
    const std::int64_t end =
        std::llround(static_cast<double>(total) * static_cast<double>(before) / all);
    out.warps.push_back(end - std::exchange(dealt, end));
  }
  return out;
}

BlockShares fill_block(std::int64_t blocks, std::int64_t left, std::vector<std::int64_t> most,
                       bool from_end) {
  if (from_end) std::reverse(most.begin(), most.end());
  BlockShares out{blocks, {}};
  for (const std::int64_t m : most) {
    out.warps.push_back(std::min(m, left));
    left -= out.warps.back();
  }
  out.warps[0] += left;
  if (from_end) std::reverse(out.warps.begin(), out.warps.end());
  return out;
}

BlockPortions::BlockPortions(std::int64_t total, const WarpTable& outer) : total_(total) {
  for (const BlockShares& range : outer) all_ += weight_of(range);
}

std::int64_t BlockPortions::next(const BlockShares& range) {
  before_ += weight_of(range);
  const std::int64_t end =
      all_ > 0 ? std::llround(static_cast<double>(total_) * before_ / all_) : 0;
  return end - std::exchange(dealt_, end);
}

}  // namespace pnsim
