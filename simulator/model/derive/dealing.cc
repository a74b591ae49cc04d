#include "simulator/model/derive/dealing.h"

#include <algorithm>
#include <map>
#include <set>

#include "simulator/model/launch/opcodes.h"
#include "simulator/model/sass/block_barrier.h"

namespace pnsim {

double work_of(const DealtItem& item, const Tally& totals) {
  double work = static_cast<double>(item.lines.size()) * static_cast<double>(totals[item.count]);
  for (const DealtRegion& loop : item.loop) {
    for (const DealtItem& inner : loop.items) work += work_of(inner, totals);
  }
  return work;
}

void each_count(const DealtRegion& region, const std::function<void(CountId)>& visit) {
  visit(region.iterations);
  for (const DealtItem& item : region.items) {
    visit(item.count);
    for (const PartialAccess& access : item.partial) visit(access.count);
    for (const DealtRegion& loop : item.loop) each_count(loop, visit);
  }
}

namespace {

CountId new_count(ProgramShape& shape, std::int64_t total) {
  shape.totals.push_back(total);
  return shape.totals.size() - 1;
}

// Whether such a line is in the item, or in the loops in it.
template <class IsSuch>
bool has_line(const DealtItem& item, const IsSuch& is_such) {
  for (const DealtRegion& loop : item.loop) {
    for (const DealtItem& inner : loop.items) {
      if (has_line(inner, is_such)) return true;
    }
  }
  return std::any_of(item.lines.begin(), item.lines.end(), is_such);
}

// Whether all warps of the block meet there. An mbarrier or a barrier of some warps does not count.
bool has_barrier(const Code& code, std::int64_t block_threads, const DealtItem& item) {
  return has_line(item, [&](std::size_t line) { return joins_block(code[line], block_threads); });
}

// Parts of the code between two barriers may be rare (at most half of the executions) and be
// executed equally often. They are then given alternately to the first and to the last warps: such
// parts are the left and the right edge of a tile, or its first and its last row.
void part_edges(const Code& code, std::int64_t block_threads, const Tally& totals, bool is_loop,
                DealtRegion& region) {
  const std::int64_t all = totals[region.iterations];
  // [executions] of parts since the last barrier: true where the last one was dealt from the end.
  std::map<std::int64_t, bool> ends;
  auto& items = region.items;
  const auto warps = static_cast<std::size_t>((block_threads + 31) / 32);
  // Code of a role, outside loops, is reached by some warps alone and is no edge.
  const auto is_part = [&](const DealtItem& item) {
    return item.loop.empty() && totals[item.count] > 0 && totals[item.count] <= all / 2 &&
           (is_loop || item.path.among.size() >= warps);
  };
  for (std::size_t first = 0; first < items.size();) {
    if (has_barrier(code, block_threads, items[first])) ends.clear();
    std::size_t end = first;
    std::int64_t most = 0;
    for (; end < items.size() && is_part(items[end]); ++end) {
      most = std::max(most, totals[items[end].count]);
    }
    if (end > first) {
      const auto [it, is_first] = ends.try_emplace(most, items[first].from_end);
      if (!is_first) it->second = !it->second;
      for (std::size_t i = first; !is_first && i < end; ++i) {
        if (items[i].from_end != it->second)
          std::reverse(items[i].path.among.begin(), items[i].path.among.end());
        items[i].from_end = it->second;
      }
    }
    first = std::max(end, first + 1);
  }
}

// The executions of the rare part of a loop with most work, or 0: at most half of the iterations,
// at least one for each of the warps that enter.
std::int64_t rare_executions(const DealtRegion& region, std::int64_t entries, const Tally& totals) {
  constexpr double kMuchWork = 0.05;    // of the loop's
  std::map<std::int64_t, double> work;  // [executions]
  double all = 0;
  for (const DealtItem& item : region.items) {
    const double own = work_of(item, totals);
    all += own;
    const std::int64_t count = totals[item.count];
    if (count >= entries && 2 * count <= totals[region.iterations]) work[count] += own;
  }
  std::int64_t rare = 0;
  double most = kMuchWork * all;
  for (const auto& [count, own] : work) {
    if (own > most) most = own, rare = count;
  }
  return rare;
}

// Two nested loops may have one header: a kernel that stays resident goes through tiles, and
// through the steps of each tile. A loop of which a rare part has much of the work is taken to be
// such: the rare part comes after equally many iterations of the rest. A barrier of the whole block
// would tell otherwise.
void part_nested(std::int64_t entries, DealtRegion& region, ProgramShape& shape) {
  const std::int64_t rare = region.has_barrier ? 0 : rare_executions(region, entries, shape.totals);
  if (rare == 0) return;
  DealtRegion outer;
  outer.iterations = new_count(shape, rare);
  DealtItem inner;
  inner.count = new_count(shape, rare);
  inner.is_inner_part = true;
  inner.loop.push_back({region.iterations, false, {}});
  std::vector<DealtItem> after;
  for (DealtItem& item : region.items) {
    const bool is_rare = shape.totals[item.count] <= rare;
    const bool is_first = inner.loop[0].items.empty();
    (!is_rare ? inner.loop[0].items : is_first ? outer.items : after).push_back(std::move(item));
  }
  outer.items.push_back(std::move(inner));
  for (DealtItem& item : after) outer.items.push_back(std::move(item));
  region = std::move(outer);
}

// Code with a barrier that whole blocks pass, and code that is executed as often, or in all other
// executions of the region: in the arms of a branch with it. Counts cannot tell such code from that
// of some warps of each block that is executed as often by chance.
void mark_code_of_blocks(const Code& code, const Tally& totals, DealtRegion& region) {
  std::set<std::int64_t> counts;
  for (const DealtItem& item : region.items) {
    const std::int64_t count = totals[item.count];
    if (count <= 0 || !has_line(item, [&](std::size_t l) { return is_passed_by_block(code[l]); }))
      continue;
    counts.insert({count, totals[region.iterations] - count});
  }
  for (DealtItem& item : region.items) {
    const std::int64_t count = totals[item.count];
    item.is_of_blocks |= count > 0 && counts.contains(count);
  }
}

// Deeper loops stay whole: kernel models bound their nesting.
constexpr int kMaxPartedDepth = 6;

// `depth`: loops around the region, it included; 0 for the whole code.
DealtRegion shape_of(const Code& code, const FlowRegion& flow,
                     const std::vector<std::int64_t>& active, std::int64_t block_threads, int depth,
                     std::int64_t entries, ProgramShape& shape) {
  DealtRegion region;
  region.iterations = new_count(shape, flow.iterations);
  for (const FlowItem& item : flow.items) {
    DealtItem dealt;
    dealt.lines = item.lines;
    dealt.from_end = item.from_end;
    dealt.ended_blocks = item.ended_blocks;
    dealt.is_of_blocks = item.is_of_blocks;
    dealt.path = item.path;
    dealt.count = new_count(shape, item.count);
    for (const std::size_t line : item.lines) {
      const bool is_access = class_of_opcode(code[line].sass.opcode).is_access;
      if (!is_access || active[line] >= item.count) continue;
      dealt.partial.push_back({line, new_count(shape, active[line])});
    }
    for (const FlowRegion& loop : item.loop) {
      dealt.loop.push_back(shape_of(code, loop, active, block_threads, depth + 1,
                                    std::max<std::int64_t>(item.count, 1), shape));
    }
    region.has_barrier |= has_barrier(code, block_threads, dealt);
    region.items.push_back(std::move(dealt));
  }
  mark_code_of_blocks(code, shape.totals, region);
  if (region.has_barrier) part_edges(code, block_threads, shape.totals, depth > 0, region);
  if (depth > 0 && depth <= kMaxPartedDepth) part_nested(entries, region, shape);
  return region;
}

// The share of execution `index` when `total` is dealt to n executions: q or q + 1.
std::int64_t share_at(std::int64_t total, std::int64_t n, std::int64_t index, bool from_end) {
  const std::int64_t place = from_end ? n - 1 - index : index;
  return total / n + (place < total % n ? 1 : 0);
}

// Entries of a loop among n executions: at most one each, at least one where it executes anything.
std::int64_t entries_among(const DealtItem& item, const Tally& totals, std::int64_t n) {
  std::int64_t entries = std::min(totals[item.count], n);
  if (entries > 0) return entries;
  each_count(item.loop[0], [&](CountId c) { entries |= totals[c] > 0; });
  return entries;
}

// The counts of an item that each of n executions has at least; `left` keeps the rest of its
// totals.
void take_equal_parts(const DealtItem& item, std::int64_t n, Tally& left, Tally& each) {
  const auto take = [&](CountId c, bool is_dealt) {
    each[c] = is_dealt ? left[c] / n : 0;
    left[c] -= n * each[c];
  };
  if (!item.loop.empty()) {
    take(item.count, true);
    take(item.loop[0].iterations, true);
    for (const DealtItem& inner : item.loop[0].items) take_equal_parts(inner, n, left, each);
    return;
  }
  // The rest may not have more accesses than executions of their run.
  const bool is_dealt = std::all_of(
      item.partial.begin(), item.partial.end(),
      [&](const PartialAccess& a) { return left[a.count] % n <= left[item.count] % n; });
  take(item.count, is_dealt);
  for (const PartialAccess& access : item.partial) take(access.count, is_dealt);
}

// Adds the executions at which the shares of an item change.
void add_cuts(const DealtItem& item, const Tally& totals, std::int64_t n,
              std::set<std::int64_t>& cuts) {
  const auto cut = [&](std::int64_t place) { cuts.insert(item.from_end ? n - place : place); };
  if (item.loop.empty()) {
    cut(totals[item.count] % n);
    for (const PartialAccess& access : item.partial) cut(totals[access.count] % n);
    return;
  }
  const std::int64_t entries = entries_among(item, totals, n);
  if (entries == 0) return;
  cut(entries);
  each_count(item.loop[0], [&](CountId c) { cut(totals[c] % entries); });
}

void add_shares(const DealtItem& item, const Tally& totals, std::int64_t n, std::int64_t index,
                Tally& each) {
  if (item.loop.empty()) {
    each[item.count] = share_at(totals[item.count], n, index, item.from_end);
    for (const PartialAccess& access : item.partial) {
      each[access.count] = share_at(totals[access.count], n, index, item.from_end);
    }
    return;
  }
  const std::int64_t entries = entries_among(item, totals, n);
  const std::int64_t place = item.from_end ? n - 1 - index : index;
  if (place >= entries) return;
  each[item.count] = 1;
  each_count(item.loop[0],
             [&](CountId c) { each[c] = share_at(totals[c], entries, place, false); });
}

}  // namespace

ProgramShape make_shape(const Code& code, const FlowRegion& flow,
                        const std::vector<std::int64_t>& active, std::int64_t block_threads) {
  ProgramShape shape;
  shape.code = shape_of(code, flow, active, block_threads, 0, 0, shape);
  return shape;
}

std::vector<Share> deal(const DealtRegion& region, const Tally& totals, std::int64_t executions) {
  std::set<std::int64_t> cuts{executions};
  for (const DealtItem& item : region.items) add_cuts(item, totals, executions, cuts);
  std::vector<Share> shares;
  std::int64_t first = 0;
  for (const std::int64_t cut : cuts) {
    if (cut <= first) continue;
    Share share{cut - first, Tally(totals.size(), 0)};
    share.each[region.iterations] = 1;
    for (const DealtItem& item : region.items) {
      add_shares(item, totals, executions, first, share.each);
    }
    if (!shares.empty() && shares.back().each == share.each) {
      shares.back().executions += share.executions;
    } else {
      shares.push_back(std::move(share));
    }
    first = cut;
  }
  return shares;
}

std::vector<Share> deal_coarsely(const DealtRegion& region, const Tally& totals,
                                 std::int64_t executions) {
  Share all{executions, Tally(totals.size(), 0)};
  Share rest{1, totals};
  for (const DealtItem& item : region.items) {
    take_equal_parts(item, executions, rest.each, all.each);
  }
  all.each[region.iterations] = rest.each[region.iterations] = 1;
  return {all, rest};
}

}  // namespace pnsim
