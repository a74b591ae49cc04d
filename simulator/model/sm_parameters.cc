#include "simulator/model/sm_parameters.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "simulator/base/error.h"
#include "simulator/model/edge_turns.h"
#include "simulator/model/imbalance.h"
#include "simulator/model/memory_use.h"
#include "simulator/model/program_rows.h"
#include "simulator/model/segment_cost.h"
#include "simulator/model/sm_phases.h"
#include "simulator/model/texture_fetches.h"

namespace pnsim {
namespace {

constexpr double kMaxCycles = 0x1p40;
constexpr std::int64_t kMaxSlots = 64;

using Rows = ProgramRows<SegmentCost>;
using SegmentRow = Rows::SegmentRow;

// Programs of a launch as rows of costs.
class RowMaker {
 public:
  RowMaker(const Launch& launch, const CostModel& model, Stretch stretch, double overlap)
      : launch_(launch),
        model_(model),
        stretch_(std::move(stretch)),
        overlap_(overlap),
        costs_(2 * launch.segments.size()) {}

  const std::vector<ProgramItem>& program(std::size_t kind) const { return stretch_.programs[kind]; }

  // Appends a program to those of a warp; returns its first segment. `extra_barriers` at the end
  // stand for those that the other warps of the block come to after this one has ended: an ended
  // warp holds up no barrier.
  std::int64_t append(const std::vector<ProgramItem>& program, std::int64_t extra_barriers,
                      Rows& rows) const {
    const std::string& kernel = launch_.kernel;
    Follower end;
    if (extra_barriers > 0) {
      SegmentCost barrier;
      barrier.joins = true;
      const auto loop = static_cast<std::int64_t>(rows.loops.size());
      end.segment = rows.add_segment(barrier, {kNoRow, loop}, kernel);
      rows.add_loop({extra_barriers, end.segment, {}}, kernel);
    }
    const Follower first = rows.add(program, end, kernel, [this](const ProgramItem& item) {
      return item.segment ? cost(*item.segment) : model_.cost(item.counts);
    });
    return first.segment == kNoRow ? rows.add_segment({}, first, kernel) : first.segment;
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
        sum += launch_.segments[segment_of(*item.segment)].end == SegmentEnd::kBarrier ? 1 : 0;
      }
    }
    return sum;
  }

 private:
  // [Launch::segments] of one of Stretch::programs.
  std::size_t segment_of(std::size_t segment) const { return segment % launch_.segments.size(); }

  // Who does more than the mean asks L2 and DRAM for more, others for less: all together for as
  // much. All warps have the same segments: each is looked at once.
  const SegmentCost& cost(std::size_t segment) const {
    std::optional<SegmentCost>& known = costs_[segment];
    if (known) return *known;
    const std::size_t own = segment_of(segment);
    known = own == segment ? model_.cost(own) : model_.one_lane_cost(own);
    known->memory *= overlap_;
    known->memory *= stretch_.relief[own];
    known->atomic *= stretch_.relief[own];
    return *known;
  }

  const Launch& launch_;
  const CostModel& model_;
  Stretch stretch_;
  double overlap_;
  mutable std::vector<std::optional<SegmentCost>> costs_;  // [segment of Stretch::programs]
};

// std::floor of numbers below kMaxCycles, which is a call of the library on the oldest processors.
std::int64_t floored(double x) {
  const auto towards_zero = static_cast<std::int64_t>(x);
  return towards_zero - (x < static_cast<double>(towards_zero) ? 1 : 0);
}

// Whole cycles of which the mean over many warps is `cycles`: the fractions are spread evenly.
std::int64_t whole(double cycles, std::size_t instance) {
  if (!(cycles < kMaxCycles)) {
    fail_limit("a segment takes over 2^40 cycles of a unit, more than a net of an SM takes");
  }
  const std::int64_t floor = floored(cycles);
  const double fraction = cycles - static_cast<double>(floor);
  if (fraction == 0) return floor;
  const auto i = static_cast<double>(instance);
  return floor + floored((i + 1) * fraction) - floored(i * fraction);
}

// The warps of a block slot: each has the programs of all phases.
struct SlotWarps {
  std::vector<Rows> warps;                       // [warp of the block]
  std::vector<std::vector<std::int64_t>> first;  // [warp of the block][phase]
  std::size_t segments = 1, loops = 1;           // of the longest
};

SlotWarps warps_of_slot(const Launch& launch, const RowMaker& maker,
                        const std::vector<Phase>& phases) {
  SlotWarps out;
  const auto width = static_cast<std::size_t>(launch.warps_per_block());
  out.warps.resize(width);
  out.first.resize(width);
  std::vector<std::map<std::pair<std::size_t, std::int64_t>, std::int64_t>> known(width);
  for (const Phase& phase : phases) {
    std::int64_t most = 0;
    for (const std::size_t k : phase.kinds) {
      most = std::max(most, maker.barriers_of(maker.program(k)));
    }
    for (std::size_t w = 0; w < width; ++w) {
      const auto& program = maker.program(phase.kinds[w]);
      const std::int64_t extra = most - maker.barriers_of(program);
      const auto [it, is_new] = known[w].try_emplace({phase.kinds[w], extra}, 0);
      if (is_new) it->second = maker.append(program, extra, out.warps[w]);
      out.first[w].push_back(it->second);
    }
  }
  for (const Rows& rows : out.warps) {
    out.segments = std::max(out.segments, rows.segments.size());
    out.loops = std::max(out.loops, rows.loops.size());
  }
  return out;
}

void add_segments(const SlotWarps& slot, std::int64_t slots, std::int64_t branch_cycles,
                  ParameterValues& values) {
  const auto add = [&](const char* name, auto&& value) {
    std::vector<std::int64_t>& list = values[name];
    const std::size_t width = slot.warps.size(), warps = static_cast<std::size_t>(slots) * width;
    const bool is_positive = name == std::string("issue") || name == std::string("work");
    list.assign(warps * slot.segments, is_positive ? 1 : 0);
    for (std::size_t w = 0; w < warps; ++w) {
      const auto& rows = slot.warps[w % width].segments;
      for (std::size_t k = 0; k < rows.size(); ++k) {
        list[w * slot.segments + k] = value(rows[k], w + k);
      }
    }
  };
  const auto add_cycles = [&](const char* name, double SegmentCost::*cycles) {
    add(name, [&](const SegmentRow& row, std::size_t i) { return whole(row.what.*cycles, i); });
  };
  add_cycles("issue", &SegmentCost::issue);
  add_cycles("slow", &SegmentCost::slow);
  // The way back to the head of a loop is a branch; one cycle of it is a step of the net.
  add("work", [&](const SegmentRow& row, std::size_t i) {
    const bool turns = row.next.segment == kNoRow && row.next.loop != kNoRow;
    return std::max<std::int64_t>(whole(row.what.work, i) + (turns ? branch_cycles - 1 : 0), 1);
  });
  add_cycles("quick_port", &SegmentCost::quick_port);
  add_cycles("quick_latency", &SegmentCost::quick_latency);
  add_cycles("port", &SegmentCost::port);
  add_cycles("memory", &SegmentCost::memory);
  add_cycles("atomic", &SegmentCost::atomic);
  add_cycles("latency", &SegmentCost::latency);
  add("waits",
      [](const SegmentRow& row, auto) { return static_cast<std::int64_t>(row.what.waits); });
  add("joins", [](const SegmentRow& row, auto) { return std::int64_t{row.what.joins}; });
  add("next", [](const SegmentRow& row, auto) { return row.next.segment; });
  add("turn", [](const SegmentRow& row, auto) { return row.next.loop; });
}

void add_loops(const SlotWarps& slot, std::int64_t slots, ParameterValues& values) {
  const LoopRow no_loop;
  for (std::int64_t s = 0; s < slots; ++s) {
    for (std::size_t w = 0; w < slot.warps.size(); ++w) {
      const Rows& rows = slot.warps[w];
      values["first"].insert(values["first"].end(), slot.first[w].begin(), slot.first[w].end());
      for (std::size_t q = 0; q < slot.loops; ++q) {
        const LoopRow& loop = q < rows.loops.size() ? rows.loops[q] : no_loop;
        values["trips"].push_back(loop.trips);
        values["body"].push_back(loop.body);
        values["next_after"].push_back(loop.next.segment);
        values["turn_after"].push_back(loop.next.loop);
      }
    }
  }
}

}  // namespace

namespace {

// Of a segment.
const std::vector<std::string>& unit_cycles() {
  static const std::vector<std::string> names{"issue",  "slow",   "work",    "quick_port", "quick_latency",
                                              "port",   "memory", "atomic",  "latency",    "joins"};
  return names;
}

}  // namespace

const std::vector<std::string>& program_parameters() {
  static const std::vector<std::string> names{"B",    "R",     "Wb",   "K",          "Q",
                                              "P",    "first", "next", "turn",       "trips",
                                              "body", "waits", "ahead", "next_after", "turn_after",
                                              "blocks"};
  return names;
}

const std::vector<std::string>& settable_cycles() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"barrier", "dispatch", "launch", "order", "turnover"};
    all.insert(all.end(), unit_cycles().begin(), unit_cycles().end());
    return all;
  }();
  return names;
}

bool walks_programs(const NetTemplate& net_template) {
  const auto has = [&](const std::string& name) {
    return net_template.find_parameter(name) != nullptr;
  };
  const auto& structure = program_parameters();
  const auto& cycles = unit_cycles();
  return std::all_of(structure.begin(), structure.end(), has) &&
         std::all_of(cycles.begin(), cycles.end(), has);
}

void set_cycles(const ParameterValues& given, ParameterValues& values) {
  for (const auto& [name, list] : given) {
    const bool of_segments =
        std::find(unit_cycles().begin(), unit_cycles().end(), name) != unit_cycles().end();
    if (!of_segments || list.size() != 1) {
      values[name] = list;
      continue;
    }
    for (std::int64_t& own : values.at(name)) own = own == 0 ? 0 : list[0];
  }
}

ParameterValues sm_parameters(const Launch& profiled, const DeviceProfile& device) {
  if (profiled.segments.empty()) {
    fail_input("kernel " + profiled.kernel,
               "found counts alone, expected the programs of its warps: make the model with "
               "pnsim derive --ncu RAW.csv --source SOURCE.csv");
  }
  const Launch launch = with_edge_turns_apart(with_texture_sectors(profiled));
  const std::int64_t sms = device.count("sms");
  const std::int64_t blocks = busiest_blocks(launch, sms);
  const std::int64_t slots = std::min(blocks, launch.resident_blocks);
  if (slots > kMaxSlots || slots * launch.warps_per_block() > kMaxSlots * 32) {
    fail_input("kernel " + launch.kernel,
               "found " + std::to_string(slots) + " resident blocks of " +
                   std::to_string(launch.warps_per_block()) + " warps, more than an SM holds");
  }
  CostModel model(device, launch, mean_busy_sms(launch, sms));
  set_use(launch, sms, slots, blocks > slots, model);
  const std::vector<Phase> phases = phases_of_sm(launch, blocks);
  const RowMaker maker(launch, model, stretch_of(launch),
                       overlap_of(launch, model, blocks > slots));
  const SlotWarps slot = warps_of_slot(launch, maker, phases);
  const double rounds = static_cast<double>(launch.grid) / static_cast<double>(sms * slots);
  ParameterValues values{{"B", {blocks}},
                         {"R", {slots}},
                         {"Wb", {launch.warps_per_block()}},
                         {"K", {static_cast<std::int64_t>(slot.segments)}},
                         {"Q", {static_cast<std::int64_t>(slot.loops)}},
                         {"P", {static_cast<std::int64_t>(phases.size())}},
                         {"blocks", {0}},
                         {"ahead", {accesses_ahead(launch, model, rounds)}},
                         {"dispatch", {model.dispatch_cycles()}},
                         {"turnover", {model.turnover_cycles()}},
                         {"barrier", {model.barrier_cycles()}},
                         {"launch", {std::llround(launch_cycles(launch, device))}}};
  for (const Phase& phase : phases) values["blocks"].push_back(phase.blocks);
  add_segments(slot, slots, std::llround(model.branch_cycles()), values);
  add_loops(slot, slots, values);
  return values;
}

}  // namespace pnsim
