#include "simulator/model/sm_parameters.h"

#include <algorithm>
#include <cmath>

#include "simulator/base/error.h"
#include "simulator/model/memory_use.h"
#include "simulator/model/segment_cost.h"

namespace pnsim {
namespace {

constexpr std::int64_t kNone = -1;
constexpr double kMaxCycles = 0x1p40;
constexpr std::int64_t kMaxSlots = 64;
constexpr std::int64_t kMaxRows = 4096;  // segments, or loops, of a program

// What follows: a segment, the end of a loop's iteration, or (neither) the end of the program.
struct Target {
  std::int64_t segment = kNone;
  std::int64_t loop = kNone;
};

struct SegmentRow {
  SegmentCost cost;
  Target next;
};

struct LoopRow {
  std::int64_t trips = 1;
  std::int64_t body = 0;  // its first segment
  Target next;
};

// The program of a warp as rows that name each other.
struct Rows {
  std::vector<SegmentRow> segments;
  std::vector<LoopRow> loops;
  std::int64_t first = kNone;
  std::int64_t barriers = 0;  // that a warp comes to in all
};

class RowMaker {
 public:
  RowMaker(const Launch& launch, const CostModel& model) : launch_(launch), model_(model) {}

  // `extra_barriers` at the end stand for those that the other warps of the block come to after
  // this one has ended: an ended warp holds up no barrier.
  Rows make(const std::vector<ProgramItem>& program, std::int64_t extra_barriers) {
    rows_ = {};
    rows_.barriers = barriers_of(program);
    Target end;
    if (extra_barriers > 0) {
      SegmentCost barrier;
      barrier.joins = true;
      end = add_loop({extra_barriers, add_segment(barrier, {kNone, loop_count()}), {}});
    }
    const Target first = add_items(program, end);
    rows_.first = first.segment == kNone ? add_segment({}, first) : first.segment;
    return std::move(rows_);
  }

  std::int64_t barriers_of(const std::vector<ProgramItem>& items) const {
    std::int64_t sum = 0;
    for (const ProgramItem& item : items) {
      if (!item.body.empty()) {
        std::int64_t all = 0;
        if (__builtin_mul_overflow(item.repeat, barriers_of(item.body), &all) ||
            __builtin_add_overflow(sum, all, &sum)) {
          fail_limit("kernel " + launch_.kernel + ": a warp comes to over 2^63 barriers");
        }
      } else if (item.segment) {
        sum += launch_.segments[*item.segment].end == SegmentEnd::kBarrier ? 1 : 0;
      }
    }
    return sum;
  }

 private:
  std::int64_t loop_count() const { return static_cast<std::int64_t>(rows_.loops.size()); }

  std::int64_t add_segment(const SegmentCost& cost, Target next) {
    rows_.segments.push_back({cost, next});
    check(rows_.segments.size(), "segments");
    return static_cast<std::int64_t>(rows_.segments.size()) - 1;
  }

  Target add_loop(const LoopRow& loop) {
    rows_.loops.push_back(loop);
    check(rows_.loops.size(), "loops");
    return {loop.body, kNone};
  }

  void check(std::size_t count, const char* what) const {
    if (count <= kMaxRows) return;
    fail_input("kernel " + launch_.kernel, std::string("a program has over ") +
                                               std::to_string(kMaxRows) + " " + what +
                                               ": more than a net of an SM takes");
  }

  // From the last item to the first, since every row names the one that follows.
  Target add_items(const std::vector<ProgramItem>& items, Target next) {
    for (auto item = items.rbegin(); item != items.rend(); ++item) {
      if (item->body.empty()) {
        const SegmentCost cost = item->segment ? model_.cost(*item->segment)
                                               : model_.cost(item->counts);
        next = {add_segment(cost, next), kNone};
      } else if (item->repeat == 1) {
        next = add_items(item->body, next);
      } else if (item->repeat > 1) {
        const std::int64_t loop = loop_count();
        rows_.loops.push_back({item->repeat, 0, next});
        check(rows_.loops.size(), "loops");
        const Target body = add_items(item->body, {kNone, loop});
        if (body.segment == kNone) continue;  // a body without segments takes no time
        rows_.loops[static_cast<std::size_t>(loop)].body = body.segment;
        next = {body.segment, kNone};
      }
    }
    return next;
  }

  const Launch& launch_;
  const CostModel& model_;
  Rows rows_;
};

// Whole cycles of which the mean over many warps is `cycles`: the fractions are spread evenly.
std::int64_t whole(double cycles, std::size_t instance) {
  if (!(cycles < kMaxCycles)) {
    fail_limit("a segment takes over 2^40 cycles of a unit, more than a net of an SM takes");
  }
  const double fraction = cycles - std::floor(cycles);
  const auto i = static_cast<double>(instance);
  return static_cast<std::int64_t>(std::floor(cycles) + std::floor((i + 1) * fraction) -
                                   std::floor(i * fraction));
}

// Of a block of the launch: [warp] its kind.
std::vector<std::size_t> kinds_of_block(const Launch& launch, std::int64_t block) {
  std::vector<std::size_t> kinds;
  std::int64_t end = 0;
  for (const BlockKind& kind : launch.block_kinds) {
    end += kind.blocks;
    if (block >= end) continue;
    for (const BlockKind::Warps& warps : kind.warps) {
      kinds.insert(kinds.end(), static_cast<std::size_t>(warps.count), warps.kind);
    }
    return kinds;
  }
  std::int64_t warp = block * launch.warps_per_block();
  std::size_t kind = 0;
  end = launch.warp_kinds[0].warps;
  for (std::int64_t w = 0; w < launch.warps_per_block(); ++w, ++warp) {
    while (warp >= end) end += launch.warp_kinds[++kind].warps;
    kinds.push_back(kind);
  }
  return kinds;
}

// [kind] the rows of each kind of warp that lives on the SM, for blocks with `barriers`.
struct SlotWarps {
  std::vector<Rows> warps;  // [warp of the SM]
  std::size_t segments = 1, loops = 1;  // of the longest
};

SlotWarps warps_on_sm(const Launch& launch, const CostModel& model, std::int64_t slots,
                      std::int64_t sms) {
  RowMaker maker(launch, model);
  SlotWarps out;
  for (std::int64_t slot = 0; slot < slots; ++slot) {
    // Blocks are dealt to the SMs in turn; the first SM has the first of each round.
    const std::int64_t block = std::min(slot * sms, launch.grid - 1);
    const std::vector<std::size_t> kinds = kinds_of_block(launch, block);
    std::int64_t most = 0;
    for (const std::size_t k : kinds) {
      most = std::max(most, maker.barriers_of(launch.warp_kinds[k].program));
    }
    for (const std::size_t k : kinds) {
      const auto& program = launch.warp_kinds[k].program;
      out.warps.push_back(maker.make(program, most - maker.barriers_of(program)));
      out.segments = std::max(out.segments, out.warps.back().segments.size());
      out.loops = std::max(out.loops, out.warps.back().loops.size());
    }
  }
  return out;
}

void add_segments(const SlotWarps& sm, std::int64_t branch_cycles, ParameterValues& values) {
  const auto add = [&](const char* name, auto&& value) {
    std::vector<std::int64_t>& list = values[name];
    for (std::size_t w = 0; w < sm.warps.size(); ++w) {
      for (std::size_t k = 0; k < sm.segments; ++k) {
        const auto& rows = sm.warps[w].segments;
        list.push_back(k < rows.size() ? value(rows[k], w + k) : (name == std::string("issue") ||
                                                                  name == std::string("work")));
      }
    }
  };
  const auto add_cycles = [&](const char* name, double SegmentCost::*cycles) {
    add(name, [&](const SegmentRow& row, std::size_t i) { return whole(row.cost.*cycles, i); });
  };
  add_cycles("issue", &SegmentCost::issue);
  // The way back to the head of a loop is a branch; one cycle of it is a step of the net.
  add("work", [&](const SegmentRow& row, std::size_t i) {
    const bool turns = row.next.segment == kNone && row.next.loop != kNone;
    return std::max<std::int64_t>(whole(row.cost.work, i) + (turns ? branch_cycles - 1 : 0), 1);
  });
  add_cycles("quick_port", &SegmentCost::quick_port);
  add_cycles("quick_latency", &SegmentCost::quick_latency);
  add_cycles("port", &SegmentCost::port);
  add_cycles("memory", &SegmentCost::memory);
  add_cycles("latency", &SegmentCost::latency);
  add("waits", [](const SegmentRow& row, auto) { return static_cast<std::int64_t>(row.cost.waits); });
  add("joins", [](const SegmentRow& row, auto) { return std::int64_t{row.cost.joins}; });
  add("next", [](const SegmentRow& row, auto) { return row.next.segment; });
  add("turn", [](const SegmentRow& row, auto) { return row.next.loop; });
}

void add_loops(const SlotWarps& sm, ParameterValues& values) {
  const LoopRow no_loop;
  for (const Rows& rows : sm.warps) {
    values["first"].push_back(rows.first);
    for (std::size_t q = 0; q < sm.loops; ++q) {
      const LoopRow& loop = q < rows.loops.size() ? rows.loops[q] : no_loop;
      values["trips"].push_back(loop.trips);
      values["body"].push_back(loop.body);
      values["next_after"].push_back(loop.next.segment);
      values["turn_after"].push_back(loop.next.loop);
    }
  }
}

}  // namespace

const std::vector<std::string>& program_parameters() {
  static const std::vector<std::string> names{
      "B",          "R",    "Wb",     "K",     "Q",      "first", "issue", "work",
      "quick_port", "quick_latency",  "port",  "memory", "latency", "waits", "joins",
      "next",       "turn", "trips",  "body",  "next_after", "turn_after"};
  return names;
}

bool walks_programs(const NetTemplate& net_template) {
  const auto& names = program_parameters();
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    return net_template.find_parameter(name) != nullptr;
  });
}

const std::vector<std::string>& device_cycles() {
  static const std::vector<std::string> names{"barrier", "dispatch", "launch", "turnover"};
  return names;
}

ParameterValues sm_parameters(const Launch& launch, const DeviceProfile& device) {
  if (launch.segments.empty()) {
    fail_input("kernel " + launch.kernel,
               "found counts alone, expected the programs of its warps: make the model with "
               "pnsim derive --ncu RAW.csv --source SOURCE.csv");
  }
  const std::int64_t sms = device.count("sms");
  const std::int64_t blocks = (launch.grid + sms - 1) / sms;
  const std::int64_t slots = std::min(blocks, launch.resident_blocks);
  if (slots > kMaxSlots || slots * launch.warps_per_block() > kMaxSlots * 32) {
    fail_input("kernel " + launch.kernel, "found " + std::to_string(slots) + " resident blocks of " +
                                              std::to_string(launch.warps_per_block()) +
                                              " warps, more than an SM holds");
  }
  // The others end together, but for one round of blocks: so many are busy on average.
  CostModel model(device, launch, static_cast<double>(launch.grid) / static_cast<double>(blocks));
  set_use(launch, static_cast<double>(slots), model);
  const SlotWarps sm = warps_on_sm(launch, model, slots, sms);
  ParameterValues values{{"B", {blocks}},
                         {"R", {slots}},
                         {"Wb", {launch.warps_per_block()}},
                         {"K", {static_cast<std::int64_t>(sm.segments)}},
                         {"Q", {static_cast<std::int64_t>(sm.loops)}},
                         {"dispatch", {model.dispatch_cycles()}},
                         {"turnover", {model.turnover_cycles()}},
                         {"barrier", {model.barrier_cycles(launch.warps_per_block())}},
                         {"launch", {model.launch_cycles()}}};
  add_segments(sm, model.branch_cycles(), values);
  add_loops(sm, values);
  return values;
}

}  // namespace pnsim
