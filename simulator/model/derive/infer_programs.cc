#include "simulator/model/derive/infer_programs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include "simulator/base/error.h"
#include "simulator/model/derive/active_accesses.h"
#include "simulator/model/derive/address_sources.h"
#include "simulator/model/derive/dealing.h"
#include "simulator/model/derive/segmenter.h"
#include "simulator/model/launch/deal_out.h"
#include "simulator/model/launch/executions.h"
#include "simulator/model/launch/imbalance.h"
#include "simulator/model/launch/program_rows.h"
#include "simulator/model/sass/spinning.h"

namespace pnsim {
namespace {

// Items of the programs of all kinds of warps of a launch. Beyond the first number, iterations that
// differ are averaged; beyond the second, the page is refused.
constexpr std::size_t kMaxExactItems = 50'000;
constexpr std::size_t kMaxProgramItems = 2'000'000;

// The larger of the numbers of segments and of loops.
std::size_t rows_of(const std::vector<ProgramItem>& program) {
  std::size_t segments = 0, loops = 0;
  for_each_item(std::span<const ProgramItem>(program),
                [&](const ProgramPlace& place) { ++(place.is_loop() ? loops : segments); });
  return std::max(segments, loops);
}

// Writes programs from tallies, and collects their segments.
class ProgramWriter {
 public:
  ProgramWriter(const Code& code, const Flow& flow, const std::vector<std::int64_t>& active,
                std::int64_t block_threads, std::string where, bool is_coarse)
      : segmenter_(code, flow, active, block_threads),
        where_(std::move(where)),
        is_coarse_(is_coarse) {}

  // True when exact programs became larger than kMaxExactItems, or one than a net takes.
  bool is_given_up() const {
    return !is_coarse_ && (items_ > kMaxExactItems || is_larger_than_nets_take_);
  }

  // One execution of a region.
  std::vector<ProgramItem> program(const DealtRegion& region, const Tally& tally) {
    std::vector<ProgramItem> out;
    for (const DealtItem& item : region.items) {
      item.loop.empty() ? add_run(item, tally, out) : add_loop(item.loop[0], tally, out);
    }
    return out;
  }

  // Programs of all kinds of warps; their numbers of warps are 0 and follow later.
  std::vector<WarpKind> kinds(const ProgramShape& shape, const WarpShares& shares) {
    std::vector<WarpKind> out;
    for (const Tally& tally : shares.kinds) {
      if (is_given_up()) break;
      out.push_back({0, program(shape.code, tally)});
      is_larger_than_nets_take_ |= rows_of(out.back().program) > kMaxProgramRows;
    }
    return out;
  }

  std::vector<Segment> take_segments() { return std::move(segments_); }

 private:
  // A run executed n times; the executions whose accesses are active come first.
  void add_run(const DealtItem& item, const Tally& tally, std::vector<ProgramItem>& out) {
    std::set<std::int64_t> cuts{tally[item.count]};
    for (const PartialAccess& access : item.partial) cuts.insert(tally[access.count]);
    std::int64_t first = 0;
    for (const std::int64_t cut : cuts) {
      if (cut <= first) continue;
      std::set<std::size_t> off;
      for (const PartialAccess& access : item.partial) {
        if (tally[access.count] <= first) off.insert(access.line);
      }
      add_repeated(cut - first, segments_of(item.lines, off), out);
      first = cut;
    }
  }

  // The iterations of one execution of a loop; those that execute most come first.
  void add_loop(const DealtRegion& loop, const Tally& tally, std::vector<ProgramItem>& out) {
    std::int64_t iterations = tally[loop.iterations];
    if (iterations == 0) iterations = anything(loop, tally) ? 1 : 0;
    if (iterations == 0) return;
    const auto shares =
        is_coarse_ ? deal_coarsely(loop, tally, iterations) : deal(loop, tally, iterations);
    for (const Share& share : shares) {
      if (is_given_up()) return;
      add_repeated(share.executions, program(loop, share.each), out);
    }
  }

  bool anything(const DealtRegion& region, const Tally& tally) const {
    return std::any_of(region.items.begin(), region.items.end(), [&](const DealtItem& item) {
      return item.loop.empty() ? tally[item.count] > 0 : anything(item.loop[0], tally);
    });
  }

  void add_repeated(std::int64_t times, std::vector<ProgramItem> body,
                    std::vector<ProgramItem>& out) {
    if (body.empty()) return;
    if (times > kMaxRepeat) {
      fail_input(where_, "a loop has " + std::to_string(times) + " iterations, expected at most " +
                             std::to_string(kMaxRepeat));
    }
    if ((items_ += body.size()) > kMaxProgramItems) {
      fail_input(where_, "the programs of the warps have over " + std::to_string(kMaxProgramItems) +
                             " items: too irregular");
    }
    if (times == 1) {
      for (ProgramItem& item : body) out.push_back(std::move(item));
    } else {
      out.push_back({times, {}, std::move(body), {}});
    }
  }

  const std::vector<ProgramItem>& segments_of(const std::vector<std::size_t>& run,
                                              const std::set<std::size_t>& off) {
    const auto [it, is_new] = made_.try_emplace({run[0], off});
    if (!is_new) return it->second;
    for (Segment& segment : segmenter_.segments(run, off)) {
      const auto [known, is_first] = index_.emplace(segment_json(segment).dump(), segments_.size());
      it->second.push_back({1, segment.counts(), {}, known->second});
      if (is_first) segments_.push_back(std::move(segment));
    }
    return it->second;
  }

  Segmenter segmenter_;
  std::string where_;
  bool is_coarse_;
  std::vector<Segment> segments_;
  std::map<std::string, std::size_t> index_;  // equal segments are kept once
  std::map<std::pair<std::size_t, std::set<std::size_t>>, std::vector<ProgramItem>> made_;
  std::size_t items_ = 0;
  bool is_larger_than_nets_take_ = false;
};

BlockKind block_kind(const WarpShares::Blocks& blocks) {
  BlockKind out{blocks.blocks, {}};
  for (const std::size_t kind : blocks.kind) {
    if (out.warps.empty() || out.warps.back().kind != kind) out.warps.push_back({kind, 0});
    ++out.warps.back().count;
  }
  return out;
}

std::map<std::string, std::int64_t> unknown_opcodes_of(const Code& code) {
  std::map<std::string, std::int64_t> unknown;
  for (const CodeLine& line : code) {
    if (line.row.executed == 0 || class_of_opcode(line.sass.opcode).id != OpcodeClassId::kOther)
      continue;
    unknown[line.sass.opcode] += line.row.executed;
  }
  return unknown;
}

std::map<std::string, std::int64_t> page_classes(const Code& code,
                                                 const std::vector<std::int64_t>& active) {
  std::map<std::string, std::int64_t> sums;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const OpcodeClass& cls = class_of_opcode(code[i].sass.opcode);
    const std::int64_t done = cls.is_access ? active[i] : code[i].row.executed;
    const std::int64_t off = code[i].row.executed - done;
    if (done > 0) sums[std::string(cls.name)] += done;
    if (off > 0) sums[std::string(opcode_class(OpcodeClassId::kPredicatedOff).name)] += off;
  }
  return sums;
}

}  // namespace

std::map<std::string, std::int64_t> program_classes(const Launch& launch) {
  std::map<std::string, std::int64_t> sums;
  for_each_item(launch, [&](const ProgramPlace& place) {
    if (!place.item.segment) return;
    for (const auto& [name, count] : launch.segments[*place.item.segment].classes) {
      sums[name] += place.executions * std::llround(count);
    }
  });
  return sums;
}

namespace {

// The code of a launch before its sums are dealt to warps.
struct PageCode {
  Code code;
  std::vector<std::int64_t> active;
  Flow flow;
  std::string where;
  std::vector<bool> guards_of_blocks;  // [line] as in find_loops()

  ProgramShape shape(const Launch& launch, bool are_blocks_first) const {
    return make_shape(
        code, find_loops(code, flow, launch.grid, launch.block, are_blocks_first, guards_of_blocks),
        active, launch.block);
  }
};

Launch dealt(Launch launch, const PageCode& page, const ProgramShape& shape, bool first_blocks) {
  const WarpShares shares =
      deal_to_warps(shape, launch.grid, launch.warps_per_block(), first_blocks);
  ProgramWriter exact(page.code, page.flow, page.active, launch.block, page.where, false);
  ProgramWriter coarse(page.code, page.flow, page.active, launch.block, page.where, true);
  launch.warp_kinds = exact.kinds(shape, shares);
  const bool is_coarse = exact.is_given_up();
  if (is_coarse) launch.warp_kinds = coarse.kinds(shape, shares);
  launch.block_kinds.clear();
  for (const WarpShares::Blocks& blocks : shares.blocks) {
    launch.block_kinds.push_back(block_kind(blocks));
    for (const std::size_t kind : blocks.kind) launch.warp_kinds[kind].warps += blocks.blocks;
  }
  launch.segments = (is_coarse ? coarse : exact).take_segments();
  return launch;
}

// The page does not say which sectors bulk copies request. They have the launch's sectors at L2
// that other accesses do not explain, in equal shares.
void set_bulk_sectors(Launch& launch) {
  const std::vector<double> executions = executions_of(launch);
  const auto set = [&](OpcodeClassId id, double sectors) {
    double count = 0;
    std::vector<SegmentAccess*> copies;
    for (std::size_t s = 0; s < launch.segments.size(); ++s) {
      for (SegmentAccess& access : launch.segments[s].accesses) {
        if (class_of(access).id != id) continue;
        count += executions[s] * access.count;
        copies.push_back(&access);
      }
    }
    for (SegmentAccess* copy : copies) {
      copy->sectors = count > 0 ? std::max(sectors, 0.0) * copy->count / count : 0;
      copy->tag_lookups = copy->sectors / 4;  // whole lines
    }
  };
  const auto of = [&](const char* counter) { return counter_of(launch, counter); };
  set(OpcodeClassId::kBulkCopy, of("l2_read_sectors") -
                                    (of("l1_load_sectors") - of("l1_load_hit_sectors")) -
                                    (of("texture_sectors") - of("texture_hit_sectors")));
  set(OpcodeClassId::kBulkStore, of("l2_write_sectors") - of("l1_store_sectors"));
}

// Counted instructions of the busiest scheduler over those of its programs. 1 where the profiler
// did not count them.
double counted_over_dealt(const Launch& launch) {
  const auto sms = profiled_sms(launch);
  if (!sms) return 1;
  const double counted = counted_imbalance(launch, *sms);
  // The dealing is to explain the count, so the SM is not chosen by it.
  const Heuristics heuristics = Heuristics{}.without(Heuristic::kCountedSm);
  return counted > 0
             ? counted / programs_imbalance(launch, *sms, busiest_blocks(launch, *sms), heuristics)
             : 1;
}

double distance_from_counted(const Launch& launch) {
  const double ratio = counted_over_dealt(launch);
  return std::max(ratio, 1 / ratio);
}

// Deals the sums in the way that comes nearest to the counted instructions of the busiest
// scheduler: evenly, to the first blocks, or to whole blocks.
Launch nearest_to_counted(const Launch& profiled, const PageCode& page) {
  constexpr double kFarOff = 1.25;
  // Whole blocks must explain the counts, since warps of a role may be as many.
  constexpr double kExplained = 1.02;
  const ProgramShape shape = page.shape(profiled, false);
  Launch out = dealt(profiled, page, shape, false);
  const auto is_far_off = [&] { return distance_from_counted(out) > kFarOff; };
  if (is_far_off()) {
    Launch other = dealt(profiled, page, shape, true);
    if (distance_from_counted(other) < distance_from_counted(out)) out = std::move(other);
  }
  if (is_far_off()) {
    Launch other = dealt(profiled, page, page.shape(profiled, true), true);
    if (distance_from_counted(other) < kExplained) return other;
  }
  return out;
}

}  // namespace

Launch infer_programs(const Launch& profiled, const SourceTable& page) {
  PageCode code{parse_code(page), active_executions(page, profiled.classes), {}, page.where(), {}};
  settle_spinning(code.code, code.active);
  code.flow = find_flow(code.code);
  for (const AddressSource& source : address_sources(code.code, code.flow))
    code.guards_of_blocks.push_back(source.is_guard_of_block);
  Launch out = nearest_to_counted(profiled, code);
  for (const WarpKind& kind : out.warp_kinds) {
    if (rows_of(kind.program) <= kMaxProgramRows) continue;
    fail_input(page.where(), "the program of a warp has over " + std::to_string(kMaxProgramRows) +
                                 " segments or loops, more than a net takes: profile a smaller "
                                 "problem of the kernel");
  }
  set_bulk_sectors(out);
  out.unknown_opcodes = unknown_opcodes_of(code.code);
  if (program_classes(out) != page_classes(code.code, code.active)) {
    throw Error(ExitCode::kInternal, page.where() +
                                         ": the programs of the warps do not add up to "
                                         "the page's executed instructions");
  }
  return out;
}

Launch without_programs(Launch launch) {
  InstructionCounts sum;
  std::int64_t warps = 0;
  for (const WarpKind& kind : launch.warp_kinds) {
    add_total_counts(kind.program, kind.warps, "kernel " + launch.kernel, sum);
    warps += kind.warps;
  }
  launch.warp_kinds = deal_out(sum, warps);
  launch.block_kinds.clear();
  launch.segments.clear();
  launch.counters.clear();
  launch.unknown_opcodes.clear();
  return launch;
}

}  // namespace pnsim
