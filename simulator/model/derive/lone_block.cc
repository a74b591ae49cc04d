#include "simulator/model/derive/lone_block.h"

#include <algorithm>
#include <cmath>

namespace pnsim {
namespace {

// A loop with instructions in iterations beyond one for each entry.
struct Surplus {
  const DealtRegion* loop = nullptr;
  double share = 0, instructions = 0;  // share: of the iterations
};

void find_most(const DealtRegion& region, const Tally& totals, Surplus& most) {
  for (const DealtItem& item : region.items) {
    for (const DealtRegion& loop : item.loop) {
      const auto iterations = static_cast<double>(totals[loop.iterations]);
      const auto entries = static_cast<double>(totals[item.count]);
      if (iterations > entries) {
        const double share = (iterations - entries) / iterations;
        const double own = share * work_of(item, totals);
        if (own > most.instructions) most = {&loop, share, own};
      }
      find_most(loop, totals, most);
    }
  }
}

// The table with the first block that executes something in a range of its own; its place.
std::size_t part_first_block(const WarpTable& entering, WarpTable& table) {
  std::int64_t before = 0;
  for (const BlockShares& range : entering) {
    if (!is_idle(range)) break;
    before += range.blocks;
  }
  std::size_t at = 0;
  while (before >= table[at].blocks) before -= table[at++].blocks;
  const BlockShares range = table[at];
  const auto place = table.erase(table.begin() + static_cast<std::ptrdiff_t>(at));
  std::vector<BlockShares> parts{
      {before, range.warps}, {1, range.warps}, {range.blocks - before - 1, range.warps}};
  std::erase_if(parts, [](const BlockShares& part) { return part.blocks == 0; });
  table.insert(place, parts.begin(), parts.end());
  if (before > 0) ++at;
  return at;
}

}  // namespace

LoneBlock take_lone_block(const ProgramShape& shape, double instructions) {
  Surplus most;
  find_most(shape.code, shape.totals, most);
  LoneBlock out{shape, Tally(shape.totals.size(), 0), most.loop};
  if (most.instructions <= 0) return out;
  const double share = most.share * std::min(instructions / most.instructions, 1.0);
  each_count(*most.loop, [&](CountId c) {
    out.counts[c] = std::llround(share * static_cast<double>(shape.totals[c]));
    out.others.totals[c] -= out.counts[c];
  });
  return out;
}

void give_to_block(const LoneBlock& lone, std::vector<WarpTable>& tables) {
  if (lone.loop == nullptr) return;
  const WarpTable entering = tables[lone.loop->iterations];
  if (std::all_of(entering.begin(), entering.end(), is_idle)) return;
  each_count(*lone.loop, [&](CountId c) {
    BlockShares& own = tables[c][part_first_block(entering, tables[c])];
    const std::vector<std::int64_t> all(own.warps.size(), 1);
    const BlockShares more = within_block(1, lone.counts[c], all);
    for (std::size_t w = 0; w < own.warps.size(); ++w) own.warps[w] += more.warps[w];
  });
}

}  // namespace pnsim
