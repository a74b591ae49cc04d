#include "simulator/model/sass/loops.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "simulator/model/launch/opcodes.h"
#include "simulator/model/sass/block_barrier.h"

namespace pnsim {
namespace {

constexpr std::size_t kWholeCode = static_cast<std::size_t>(-1);

// A natural loop: its header and every block that leads back to it.
struct NaturalLoop {
  std::size_t header = 0;
  std::set<std::size_t> body;
};

std::vector<NaturalLoop> natural_loops(const Flow& flow) {
  std::map<std::size_t, NaturalLoop> by_header;
  for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
    for (const std::size_t header : flow.blocks[b].next) {
      if (!flow.dominates(header, b)) continue;
      NaturalLoop& loop = by_header[header];
      loop.header = header;
      loop.body.insert(header);
      std::vector<std::size_t> open{b};
      while (!open.empty()) {
        const std::size_t inner = open.back();
        open.pop_back();
        if (!loop.body.insert(inner).second) continue;
        for (const std::size_t p : flow.blocks[inner].previous) open.push_back(p);
      }
    }
  }
  std::vector<NaturalLoop> loops;
  for (auto& [header, loop] : by_header) loops.push_back(std::move(loop));
  return loops;
}

class RegionBuilder {
 public:
  RegionBuilder(const Code& code, const Flow& flow, const std::vector<bool>& guards_of_blocks)
      : code_(code), flow_(flow), guards_of_blocks_(guards_of_blocks), loops_(natural_loops(flow)) {
    std::sort(loops_.begin(), loops_.end(), [](const NaturalLoop& a, const NaturalLoop& b) {
      return a.body.size() > b.body.size();  // outer before inner
    });
    rank_.resize(flow.blocks.size());
    for (std::size_t i = 0; i < flow.order.size(); ++i) rank_[flow.order[i]] = i;
    is_other_side_.assign(flow.blocks.size(), false);
    begins_other_side_ = is_other_side_;
    find_other_sides();
  }

  FlowRegion build(std::int64_t grid, std::int64_t block_threads, bool are_blocks_first) {
    const std::int64_t warps_per_block = (block_threads + 31) / 32;
    grid_ = grid;
    find_paths(warps_per_block, are_blocks_first);
    find_ended_blocks();
    std::set<std::size_t> all;
    for (std::size_t b = 0; b < flow_.blocks.size(); ++b) all.insert(b);
    return region(all, kWholeCode, grid * warps_per_block, 0);
  }

 private:
  // Where a branch has two sides that exclude each other, the last warps take the rarer side. A
  // side may begin with a loop.
  void find_other_sides() {
    for (const BasicBlock& block : flow_.blocks) {
      if (block.next.size() != 2) continue;
      std::size_t a = block.next[0], b = block.next[1];
      if (flow_.entries_into(a) != 1 || flow_.entries_into(b) != 1) continue;
      if (sent_to(a, block) < sent_to(b, block)) std::swap(a, b);
      if (loop_around(a) != loop_around(b) || leads_to(a, b) || leads_to(b, a)) continue;
      begins_other_side_[b] = true;
      for (std::size_t inner = 0; inner < flow_.blocks.size(); ++inner) {
        if (flow_.dominates(b, inner)) is_other_side_[inner] = true;
      }
    }
  }

  // Where the first blocks alone reach a branch, the last of these take its rarer side. A branch on
  // such a side is not looked at.
  void find_ended_blocks() {
    ended_blocks_.assign(flow_.blocks.size(), 0);
    for (std::size_t b = 0; b < flow_.blocks.size(); ++b) {
      if (!begins_other_side_[b] || flow_.blocks[b].previous.size() != 1) continue;
      const std::size_t branch = flow_.blocks[b].previous[0];
      if (is_other_side_[branch] || loop_around(branch) != kWholeCode) continue;
      if (flow_.blocks[branch].count <= 0) continue;
      for (std::size_t inner = 0; inner < flow_.blocks.size(); ++inner) {
        if (flow_.dominates(b, inner)) ended_blocks_[inner] = grid_ - paths_.own[branch].blocks;
      }
    }
  }

  void find_paths(std::int64_t warps_per_block, bool are_blocks_first) {
    PathInputs in;
    in.are_blocks_first = are_blocks_first;
    in.grid = grid_;
    in.warps_per_block = warps_per_block;
    in.is_rarer_side = begins_other_side_;
    for (std::size_t b = 0; b < flow_.blocks.size(); ++b) {
      const auto around = std::find_if(loops_.begin(), loops_.end(), [b](const NaturalLoop& l) {
        return l.body.contains(b);  // the outermost loop is the first
      });
      const bool is_in_loop = around != loops_.end();
      in.loop.push_back(is_in_loop ? around->header : kNoLoop);
      in.passing.push_back(is_in_loop ? entries_of(*around) : flow_.blocks[b].count);
    }
    in.is_of_blocks = is_of_blocks_ = code_of_blocks(in);
    in.sent = [this](std::size_t from, std::size_t to) { return sent_to(to, flow_.blocks[from]); };
    paths_ = warp_paths(flow_, in);
  }

  // [basic block] whether whole blocks execute it: as many warps pass as pass some barrier of the
  // whole block, or as the other warps, and those are the warps of some blocks; or it lies behind a
  // branch that whole blocks take.
  std::vector<bool> code_of_blocks(const PathInputs& in) const {
    std::set<std::int64_t> joining;  // warps
    const auto others = [&](std::size_t b) { return in.grid * in.warps_per_block - in.passing[b]; };
    const auto may_be_whole = [&](std::size_t b) {
      return in.passing[b] > 0 && others(b) > 0 && in.passing[b] % in.warps_per_block == 0;
    };
    for (std::size_t b = 0; b < flow_.blocks.size(); ++b) {
      if (!may_be_whole(b)) continue;
      for (std::size_t i = flow_.blocks[b].first; i <= flow_.blocks[b].last; ++i) {
        if (is_passed_by_block(code_[i])) joining.insert({in.passing[b], others(b)});
      }
    }
    std::vector<bool> out;
    for (const std::int64_t warps : in.passing) out.push_back(joining.contains(warps));
    for (std::size_t b = 0; b < flow_.blocks.size(); ++b) {
      const BasicBlock& branch = flow_.blocks[b];
      if (in.loop[b] != kNoLoop || guards_of_blocks_.empty() || !guards_of_blocks_[branch.last])
        continue;
      for (const std::size_t side : branch.next) {
        if (!may_be_whole(side) || flow_.entries_into(side) != 1) continue;
        for (std::size_t inner = 0; inner < flow_.blocks.size(); ++inner) {
          if (flow_.dominates(side, inner) && in.passing[inner] == in.passing[side])
            out[inner] = true;
        }
      }
    }
    return out;
  }

  // Executions that a branch sends to its successor `side`. A loop's header is executed in each
  // iteration: what leaves the loop, or what the other side does not have, entered it.
  std::int64_t sent_to(std::size_t side, const BasicBlock& branch) const {
    if (const auto own = left_after(side)) return *own;
    const auto other = left_after(branch.next[branch.next[0] == side ? 1 : 0]);
    return other ? std::max<std::int64_t>(branch.count - *other, 0) : 0;
  }

  // Executions of a block that is no loop's header; of a header those that leave the loop, if all
  // of its exits have counts of their own.
  std::optional<std::int64_t> left_after(std::size_t b) const {
    const auto loop = std::find_if(loops_.begin(), loops_.end(),
                                   [b](const NaturalLoop& l) { return l.header == b; });
    if (loop == loops_.end()) return flow_.blocks[b].count;
    std::int64_t left = 0;
    for (const std::size_t inner : loop->body) {
      for (const std::size_t n : flow_.blocks[inner].next) {
        if (loop->body.contains(n)) continue;
        if (flow_.blocks[n].previous.size() != 1) return std::nullopt;
        left += flow_.blocks[n].count;
      }
    }
    return left;
  }

  // The innermost loop that contains the block and does not begin with it.
  std::size_t loop_around(std::size_t b) const {
    for (std::size_t l = loops_.size(); l-- > 0;) {
      if (loops_[l].header != b && loops_[l].body.contains(b)) return l;
    }
    return kWholeCode;
  }

  // Along forward edges only.
  bool leads_to(std::size_t from, std::size_t to) const {
    std::vector<bool> is_seen(flow_.blocks.size(), false);
    std::vector<std::size_t> open{from};
    while (!open.empty()) {
      const std::size_t b = open.back();
      open.pop_back();
      if (b == to) return true;
      if (is_seen[b]) continue;
      is_seen[b] = true;
      for (const std::size_t n : flow_.blocks[b].next) {
        if (rank_[n] > rank_[b]) open.push_back(n);
      }
    }
    return false;
  }

  // The outermost loop with its header in `blocks` that contains b, apart from `around`.
  std::size_t loop_of(std::size_t b, const std::set<std::size_t>& blocks,
                      std::size_t around) const {
    for (std::size_t l = 0; l < loops_.size(); ++l) {
      if (l == around || !loops_[l].body.contains(b)) continue;
      if (around != kWholeCode && loops_[l].body.size() >= loops_[around].body.size()) continue;
      if (blocks.contains(loops_[l].header)) return l;
    }
    return kWholeCode;
  }

  FlowRegion region(const std::set<std::size_t>& blocks, std::size_t around,
                    std::int64_t iterations, int depth) {
    FlowRegion out;
    out.iterations = iterations;
    std::vector<std::size_t> order(blocks.begin(), blocks.end());
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return rank_[a] < rank_[b]; });
    std::set<std::size_t> done;
    for (const std::size_t b : order) {
      if (done.contains(b)) continue;
      const std::size_t l = depth < kMaxLoopDepth ? loop_of(b, blocks, around) : kWholeCode;
      if (l == kWholeCode) {
        add_block(out, b);
      } else {
        add_loop(out, l, depth);
        done.insert(loops_[l].body.begin(), loops_[l].body.end());
      }
    }
    return out;
  }

  // A block with the same count as the run before it is executed by the same warps: it joins the
  // run.
  void add_block(FlowRegion& out, std::size_t b) const {
    const BasicBlock& block = flow_.blocks[b];
    const bool joins = !out.items.empty() && out.items.back().loop.empty() &&
                       out.items.back().count == block.count &&
                       out.items.back().from_end == is_other_side_[b] &&
                       out.items.back().ended_blocks == ended_blocks_[b] &&
                       are_alike(out.items.back().path, paths_.reach[b], block.count);
    if (!joins)
      out.items.push_back({{},
                           block.count,
                           is_other_side_[b],
                           ended_blocks_[b],
                           is_of_blocks_[b] && loop_around(b) == kWholeCode,
                           paths_.reach[b],
                           {}});
    for (std::size_t i = block.first; i <= block.last; ++i) out.items.back().lines.push_back(i);
  }

  // Whether `count` executions are of the same warps in both orders.
  static bool are_alike(const WarpPath& a, const WarpPath& b, std::int64_t count) {
    if (a.blocks != b.blocks) return false;
    const auto own = static_cast<std::size_t>((count + a.blocks - 1) / a.blocks);
    const std::size_t least = std::min({a.among.size(), b.among.size(), own});
    return std::equal(a.among.begin(), a.among.begin() + static_cast<std::ptrdiff_t>(least),
                      b.among.begin());
  }

  void add_loop(FlowRegion& out, std::size_t l, int depth) {
    const std::size_t header = loops_[l].header;
    FlowItem item;
    item.count = std::clamp<std::int64_t>(entries_of(loops_[l]), 1,
                                          std::min(flow_.blocks[header].count, out.iterations));
    item.from_end = is_other_side_[header];
    item.ended_blocks = ended_blocks_[header];
    item.is_of_blocks = depth == 0 && is_of_blocks_[header];
    item.path = paths_.reach[header];
    item.loop.push_back(region(loops_[l].body, l, flow_.blocks[header].count, depth + 1));
    out.items.push_back(std::move(item));
  }

  // Warps that enter the loop from outside: all executions of a block before it, less those that
  // are counted on the block's other successors.
  std::int64_t entries_of(const NaturalLoop& loop) const {
    std::int64_t entries = 0;
    for (const std::size_t p : flow_.blocks[loop.header].previous) {
      if (loop.body.contains(p)) continue;
      if (other_side_is_uncounted(p, loop.header)) {
        if (const auto left = left_after(loop.header)) return *left;
      }
      const std::int64_t elsewhere = counted_elsewhere(p, loop.header);
      entries += std::max<std::int64_t>(flow_.blocks[p].count - elsewhere, 0);
    }
    return entries;
  }

  // The block's other successor is the header of a loop that does not tell how often it is entered,
  // or some warps end at its guarded exit.
  bool other_side_is_uncounted(std::size_t p, std::size_t header) const {
    const SassInstruction& last = code_[flow_.blocks[p].last].sass;
    if (base_of(last.opcode) == "EXIT" && !last.guard.empty()) return true;
    const auto& next = flow_.blocks[p].next;
    return std::any_of(next.begin(), next.end(), [&](std::size_t n) {
      return n != header && flow_.entries_into(n) == 1 && !left_after(n);
    });
  }

  std::int64_t counted_elsewhere(std::size_t p, std::size_t header) const {
    std::int64_t elsewhere = 0;
    for (const std::size_t n : flow_.blocks[p].next) {
      if (n == header || flow_.entries_into(n) != 1) continue;
      elsewhere += left_after(n).value_or(0);
    }
    const SourceRow& branch = code_[flow_.blocks[p].last].row;
    return elsewhere - std::min(elsewhere, std::max<std::int64_t>(branch.divergent, 0));
  }

  const Code& code_;
  const Flow& flow_;
  const std::vector<bool>& guards_of_blocks_;
  std::vector<NaturalLoop> loops_;
  std::vector<std::size_t> rank_;
  std::vector<bool> is_other_side_, begins_other_side_;  // [basic block]
  std::vector<std::int64_t> ended_blocks_;               // [basic block] FlowItem::ended_blocks
  std::vector<bool> is_of_blocks_;                       // [basic block] PathInputs::is_of_blocks
  WarpPaths paths_;
  std::int64_t grid_ = 1;
};

}  // namespace

FlowRegion find_loops(const Code& code, const Flow& flow, std::int64_t grid,
                      std::int64_t block_threads, bool are_blocks_first,
                      const std::vector<bool>& guards_of_blocks) {
  return RegionBuilder(code, flow, guards_of_blocks).build(grid, block_threads, are_blocks_first);
}

}  // namespace pnsim
