// Totals of a launch are dealt to its blocks, then to the warps of a block.
#include <algorithm>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <map>

#include "simulator/model/derive/dealing.h"
#include "simulator/model/derive/warp_table.h"

namespace pnsim {
namespace {

class WarpDealer {
 public:
  WarpDealer(const ProgramShape& shape, std::int64_t grid, std::int64_t warps_per_block,
             bool first_blocks)
      : shape_(shape),
        grid_(grid),
        width_(warps_per_block),
        first_blocks_(first_blocks),
        tables_(shape.totals.size()) {
    for (const DealtItem& item : shape.code.items) {
      item.loop.empty() ? deal_run(item) : deal_loop(item);
    }
    tables_[shape.code.iterations] = everywhere(1);
  }

  WarpShares shares() const;

 private:
  std::int64_t total(CountId c) const { return shape_.totals[c]; }

  WarpTable everywhere(std::int64_t each) const {
    return {{grid_, std::vector<std::int64_t>(static_cast<std::size_t>(width_), each)}};
  }

  // `count` of a block's warps get one more than `each`.
  BlockShares block(std::int64_t blocks, std::int64_t each, std::int64_t count) const {
    BlockShares out{blocks, std::vector<std::int64_t>(static_cast<std::size_t>(width_), each)};
    for (std::int64_t w = 0; w < count; ++w) ++out.warps[static_cast<std::size_t>(w)];
    return out;
  }

  // An item may be dealt from the end: then blocks without a share come first. The number of these
  // that move to the end, because they have ended. 0 where fewer blocks have no share of `count`.
  std::int64_t blocks_left_out(const DealtItem& item, const WarpTable& count) const {
    if (!item.from_end) return 0;
    std::int64_t idle = 0;
    for (auto range = count.rbegin(); range != count.rend() && is_idle(*range); ++range) {
      idle += range->blocks;
    }
    return idle >= item.ended_blocks ? item.ended_blocks : 0;
  }

  // Gives the shares of a block's first warps to those that reach the code, in their order, and
  // the shares of the first blocks to others, as blocks_left_out() says. All counts of an item are
  // arranged alike, so that a warp's counts stay together.
  void arrange(WarpTable& table, const DealtItem& item, std::int64_t left_out) const {
    if (item.from_end) std::reverse(table.begin(), table.end());
    move_to_end(left_out, table);
    WarpList order = item.path.among;
    for (std::size_t w = 0; w < static_cast<std::size_t>(width_); ++w) {
      if (std::find(order.begin(), order.end(), w) == order.end()) order.push_back(w);
    }
    for (BlockShares& b : table) {
      const std::vector<std::int64_t> in_order = b.warps;
      for (std::size_t place = 0; place < order.size(); ++place)
        b.warps[order[place]] = in_order[place];
    }
  }

  // True where a count of warps fills whole blocks, one after the other. False where it divides
  // evenly among the blocks that reach the item: each of them then has its share.
  bool fills_blocks(const DealtItem& item, std::int64_t rest) const {
    const bool is_whole = rest % width_ == 0 || grid_ * width_ - rest < width_;
    return first_blocks_ || (rest % item.path.blocks != 0 && is_whole);
  }

  // total = q warps + r: r warps get one more, in the order of deal_to_warps().
  WarpTable by_warps(std::int64_t total, bool in_launch_order) const {
    const std::int64_t each = total / (grid_ * width_);
    const std::int64_t rest = total % (grid_ * width_);
    return in_launch_order ? filling(rest, each, width_) : spread(rest, each, grid_);
  }

  // One more to `warps` of each block until `rest` is given.
  WarpTable filling(std::int64_t rest, std::int64_t each, std::int64_t warps) const {
    const std::int64_t full = rest / warps, last = rest % warps;
    return table_of({block(full, each, warps), block(last ? 1 : 0, each, last),
                     block(grid_ - full - (last ? 1 : 0), each, 0)});
  }

  // The same to the first warps of each of the first `blocks`.
  WarpTable spread(std::int64_t rest, std::int64_t each, std::int64_t blocks) const {
    const std::int64_t all = rest / blocks, last = rest % blocks;
    return table_of({block(last, each, all + (last > 0 ? 1 : 0)), block(blocks - last, each, all),
                     block(grid_ - blocks, each, 0)});
  }

  static WarpTable table_of(std::initializer_list<BlockShares> ranges) {
    WarpTable table;
    std::copy_if(ranges.begin(), ranges.end(), std::back_inserter(table),
                 [](const BlockShares& range) { return range.blocks > 0; });
    return table;
  }

  // Executions of code that only some warps of a block, or some blocks, reach. They are of whole
  // blocks where those of the item are.
  WarpTable among_reaching(std::int64_t executions, const DealtItem& item) const {
    const WarpPath& path = item.path;
    const std::int64_t all = total(item.count);
    const auto warps = static_cast<std::int64_t>(path.among.size());
    if (all > warps * path.blocks) return by_warps(executions, false);
    const bool are_blocks_whole = (item.is_of_blocks || all % path.blocks != 0) && all % warps == 0;
    return are_blocks_whole ? filling(executions, 0, warps) : spread(executions, 0, path.blocks);
  }

  // All warps of all blocks reach it.
  bool is_reached_by_all(const DealtItem& item) const {
    return item.path.blocks == grid_ && !is_of_role(item);
  }

  // Only some warps of each block reach it, so no block executes it with all of its warps.
  bool is_of_role(const DealtItem& item) const {
    return static_cast<std::int64_t>(item.path.among.size()) < width_;
  }

  WarpTable deal_warps(const DealtItem& item, std::int64_t total, bool in_launch_order) const {
    if (in_launch_order && !is_of_role(item)) return by_warps(total, true);
    return is_reached_by_all(item) ? by_warps(total, false) : among_reaching(total, item);
  }

  // True for an access of a run that only the first blocks execute, with all of their warps, if its
  // count divides evenly among these blocks or does not fill blocks. Some warps of each of them
  // make it then, as in a tree over a block's threads.
  bool is_of_some_warps(const DealtItem& item, const PartialAccess& access,
                        bool in_launch_order) const {
    const std::int64_t run = total(item.count), own = total(access.count);
    const bool fills_blocks =
        own % width_ == 0 && own % std::max<std::int64_t>(run / width_, 1) != 0;
    return in_launch_order && !first_blocks_ && !is_of_role(item) && run < grid_ * width_ &&
           run % width_ == 0 && !fills_blocks && run - own >= width_;
  }

  void deal_run(const DealtItem& item) {
    const std::int64_t warps = grid_ * width_;
    const std::int64_t rest = total(item.count) % warps;
    const bool is_whole = item.is_of_blocks && rest % width_ == 0;
    const auto dealt = [&](CountId c, bool in_launch_order) {
      return deal_warps(item, total(c), in_launch_order);
    };
    tables_[item.count] = dealt(item.count, is_whole || fills_blocks(item, rest));
    const std::int64_t left_out = blocks_left_out(item, tables_[item.count]);
    arrange(tables_[item.count], item, left_out);
    for (const PartialAccess& access : item.partial) {
      const std::int64_t own = rest == 0 ? total(access.count) % warps : rest;
      const bool in_launch_order = (is_whole && rest > 0) || fills_blocks(item, own);
      tables_[access.count] = is_of_some_warps(item, access, in_launch_order)
                                  ? spread(total(access.count), 0, rest / width_)
                                  : dealt(access.count, in_launch_order);
      arrange(tables_[access.count], item, left_out);
    }
  }

  void deal_loop(const DealtItem& item) {
    const std::int64_t entries = std::min(total(item.count), grid_ * width_);
    const bool is_whole = item.is_of_blocks && entries % width_ == 0;
    WarpTable entering =
        deal_warps(item, entries, is_whole || fills_blocks(item, entries % (grid_ * width_)));
    const DealtRegion& loop = item.loop[0];
    deal_region(loop, entering, entries);
    const std::int64_t left_out = blocks_left_out(item, entering);
    arrange(entering, item, left_out);
    arrange_region(loop, item, left_out);
    tables_[item.count] = entering;
  }

  // `item` is the outermost loop.
  void arrange_region(const DealtRegion& region, const DealtItem& item, std::int64_t left_out) {
    arrange(tables_[region.iterations], item, left_out);
    for (const DealtItem& inner : region.items) {
      if (!inner.loop.empty()) arrange_region(inner.loop[0], item, left_out);
      arrange(tables_[inner.count], item, left_out);
      for (const PartialAccess& access : inner.partial)
        arrange(tables_[access.count], item, left_out);
    }
  }

  // All counts in a loop, over the warps that enter it; with `outer`, in proportion to these
  // shares.
  void deal_region(const DealtRegion& region, const WarpTable& entering, std::int64_t entries,
                   const WarpTable* outer = nullptr) {
    const auto even = [&](CountId c) {
      tables_[c] = outer ? in_proportion(total(c), *outer) : evenly(total(c), entering, entries);
    };
    const WarpTable& basis = outer ? *outer : entering;
    const bool has_barrier = std::any_of(region.items.begin(), region.items.end(),
                                         [](const DealtItem& item) { return item.is_of_blocks; });
    const bool are_iterations_whole = has_barrier && are_whole(total(region.iterations), basis);
    if (are_iterations_whole)
      tables_[region.iterations] = by_blocks(total(region.iterations), basis, false);
    else
      even(region.iterations);
    const WarpTable iterations = tables_[region.iterations];
    const bool are_alike = are_blocks_alike(entering);
    for (const DealtItem& item : region.items) {
      const bool is_some = total(item.count) < total(region.iterations);
      const bool has_inner_barrier = !item.loop.empty() && item.loop[0].has_barrier;
      const bool is_filled = region.has_barrier && is_some && !has_inner_barrier && are_alike;
      const bool is_each = are_iterations_whole && total(item.count) == total(region.iterations);
      const bool is_whole =
          item.is_of_blocks && is_some && are_whole(total(item.count), iterations);
      const auto set = [&](CountId c) {
        is_filled ? void(tables_[c] = filled(total(c), iterations, item.from_end)) : even(c);
      };
      if (is_each)
        tables_[item.count] = iterations;
      else if (is_whole)
        tables_[item.count] = by_blocks(total(item.count), iterations, item.from_end);
      else
        set(item.count);
      const bool follows = is_each || is_whole || (outer && !is_filled);
      for (const PartialAccess& access : item.partial) {
        WarpTable& table = tables_[access.count];
        if (follows)
          table = in_proportion(total(access.count), tables_[item.count]);
        else if (is_filled)
          table = filled(total(access.count), tables_[item.count], item.from_end);
        else
          even(access.count);
      }
      if (item.loop.empty()) continue;
      const WarpTable own = tables_[item.count];
      deal_region(item.loop[0], entering, entries,
                  item.is_inner_part      ? &iterations
                  : is_whole || is_filled ? &own
                                          : outer);
    }
  }

  // q or q + 1 to each entering warp. Where all blocks have equally many of them, blocks get equal
  // shares, then the warps of a block; otherwise the first warps of the launch get one more.
  WarpTable evenly(std::int64_t total, const WarpTable& entering, std::int64_t entries) const;

  // Shares in proportion to those of another total, so that a warp with more tiles also has more
  // steps. None gets more than there, if the total is not larger.
  WarpTable in_proportion(std::int64_t total, const WarpTable& outer) const;

  // The same warps enter of each block, or none.
  static bool are_blocks_alike(const WarpTable& entering) {
    const std::vector<std::int64_t>* first = nullptr;
    for (const BlockShares& range : entering) {
      if (is_idle(range)) continue;
      if (first && range.warps != *first) return false;
      first = &range.warps;
    }
    return true;
  }

  // Whether `total` can be dealt to whole blocks: all warps of a block have the same of `outer`.
  bool are_whole(std::int64_t total, const WarpTable& outer) const {
    return total % width_ == 0 && std::all_of(outer.begin(), outer.end(), [](const BlockShares& b) {
             return std::adjacent_find(b.warps.begin(), b.warps.end(), std::not_equal_to<>()) ==
                    b.warps.end();
           });
  }
  // The same to all warps of a block, in proportion to their shares of another total.
  WarpTable by_blocks(std::int64_t total, const WarpTable& outer, bool from_end) const;

  // Shares to the blocks in proportion to `most`; in a block the first warps are filled up to it.
  WarpTable filled(std::int64_t total, const WarpTable& most, bool from_end) const;

  const ProgramShape& shape_;
  std::int64_t grid_;
  std::int64_t width_;
  bool first_blocks_;
  std::vector<WarpTable> tables_;
};

WarpTable WarpDealer::evenly(std::int64_t total, const WarpTable& entering,
                             std::int64_t entries) const {
  WarpTable table;
  const auto add = [&](const BlockShares& b) {
    if (b.blocks > 0) table.push_back(b);
  };
  if (entering.size() == 1) {
    add(within_block(total % grid_, total / grid_ + 1, entering[0].warps));
    add(within_block(grid_ - total % grid_, total / grid_, entering[0].warps));
    return table;
  }
  std::int64_t left = total % entries;  // warps that get one more
  for (const BlockShares& range : entering) {
    const std::int64_t count =
        std::count_if(range.warps.begin(), range.warps.end(), [](std::int64_t e) { return e > 0; });
    if (count == 0) {
      add({range.blocks, std::vector<std::int64_t>(range.warps.size(), 0)});
      continue;
    }
    const std::int64_t base = total / entries * count;
    const std::int64_t full = std::min(range.blocks, left / count);
    add(within_block(full, base + count, range.warps));
    left -= full * count;
    const bool has_partial = full < range.blocks && left > 0;
    if (has_partial) add(within_block(1, base + left, range.warps));
    if (has_partial) left = 0;
    add(within_block(range.blocks - full - (has_partial ? 1 : 0), base, range.warps));
  }
  return table;
}

WarpTable WarpDealer::in_proportion(std::int64_t total, const WarpTable& outer) const {
  WarpTable table;
  BlockPortions portions(total, outer);
  for (const BlockShares& range : outer) {
    const std::int64_t own = portions.next(range), more = own % range.blocks;
    if (is_idle(range)) {
      table.push_back({range.blocks, std::vector<std::int64_t>(range.warps.size(), 0)});
      continue;
    }
    if (more > 0) table.push_back(in_block_by_shares(more, own / range.blocks + 1, range.warps));
    table.push_back(in_block_by_shares(range.blocks - more, own / range.blocks, range.warps));
  }
  return table;
}

WarpTable WarpDealer::by_blocks(std::int64_t total, const WarpTable& outer, bool from_end) const {
  WarpTable table;
  BlockPortions portions(total / width_, outer);
  const auto add = [&](std::int64_t blocks, std::int64_t each) {
    if (blocks > 0)
      table.push_back({blocks, std::vector<std::int64_t>(static_cast<std::size_t>(width_), each)});
  };
  for (const BlockShares& range : outer) {
    const std::int64_t own = portions.next(range), each = own / range.blocks,
                       more = own % range.blocks;
    if (from_end) add(range.blocks - more, each);
    add(more, each + 1);
    if (!from_end) add(range.blocks - more, each);
  }
  return table;
}

WarpTable WarpDealer::filled(std::int64_t total, const WarpTable& most, bool from_end) const {
  WarpTable table;
  BlockPortions portions(total, most);
  for (const BlockShares& range : most) {
    const std::int64_t own = portions.next(range), more = own % range.blocks;
    if (more > 0) table.push_back(fill_block(more, own / range.blocks + 1, range.warps, from_end));
    table.push_back(fill_block(range.blocks - more, own / range.blocks, range.warps, from_end));
  }
  return table;
}

// Walks all tables together, in strides of blocks in which no table changes.
WarpShares WarpDealer::shares() const {
  WarpShares out;
  std::map<Tally, std::size_t> kind_of;
  std::vector<std::size_t> at(tables_.size(), 0);
  std::vector<std::int64_t> used(tables_.size(), 0);
  for (std::int64_t done = 0; done < grid_;) {
    std::int64_t stride = grid_ - done;
    for (std::size_t c = 0; c < tables_.size(); ++c) {
      stride = std::min(stride, tables_[c][at[c]].blocks - used[c]);
    }
    WarpShares::Blocks blocks{stride, {}};
    for (std::int64_t w = 0; w < width_; ++w) {
      Tally tally;
      for (std::size_t c = 0; c < tables_.size(); ++c) {
        tally.push_back(tables_[c][at[c]].warps[static_cast<std::size_t>(w)]);
      }
      const auto [it, is_new] = kind_of.emplace(std::move(tally), out.kinds.size());
      if (is_new) out.kinds.push_back(it->first);
      blocks.kind.push_back(it->second);
    }
    const bool goes_on = !out.blocks.empty() && out.blocks.back().kind == blocks.kind;
    goes_on ? void(out.blocks.back().blocks += stride) : out.blocks.push_back(std::move(blocks));
    done += stride;
    for (std::size_t c = 0; c < tables_.size(); ++c) {
      used[c] += stride;
      if (used[c] == tables_[c][at[c]].blocks) used[c] = 0, ++at[c];
    }
  }
  return out;
}

}  // namespace

WarpShares deal_to_warps(const ProgramShape& shape, std::int64_t grid, std::int64_t warps_per_block,
                         bool first_blocks) {
  return WarpDealer(shape, grid, warps_per_block, first_blocks).shares();
}

}  // namespace pnsim
