#include "simulator/model/sm/sm_parameters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "simulator/base/error.h"
#include "simulator/model/cost/memory_use.h"
#include "simulator/model/cost/segment_cost.h"
#include "simulator/model/launch/sm_phases.h"
#include "simulator/model/memory/texture_fetches.h"
#include "simulator/model/sm/edge_turns.h"
#include "simulator/model/sm/warp_rows.h"

namespace pnsim {
namespace {

constexpr double kMaxCycles = 0x1p40;
constexpr std::int64_t kMaxSlots = 64;

using SegmentRow = WarpRows::Rows::SegmentRow;

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

// What the warps of all block slots execute: those that are alike name the same rows.
struct SlotWarps {
  std::vector<WarpRows> rows;
  std::vector<std::vector<std::int64_t>> first;  // [rows][phase] where its program begins
  std::vector<std::size_t> of_warp;              // [warp of the SM] in rows
  std::size_t segments = 1, loops = 1;           // of the longest

  const WarpRows& rows_of(std::size_t warp) const { return rows[of_warp[warp]]; }
};

// [slot][phase] Blocks of the phase may begin in the slot: in any one, or the first blocks of all
// in the slots in their order and others in any.
std::vector<std::vector<char>> admitted(const std::vector<Phase>& phases, std::int64_t slots,
                                        FirstBlocks first) {
  std::vector<std::vector<char>> out;
  for (std::int64_t slot = 0; slot < slots; ++slot) {
    std::int64_t begin = 0;
    out.emplace_back();
    for (const Phase& phase : phases) {
      const std::int64_t end = begin + phase.blocks;
      out.back().push_back(first == FirstBlocks::kInAnySlot || end > slots ||
                           (begin <= slot && slot < end));
      begin = end;
    }
  }
  return out;
}

SlotWarps warps_of_slots(CostedPrograms& programs, const std::vector<Phase>& phases,
                         const std::vector<std::vector<char>>& admits) {
  SlotWarps out;
  std::vector<std::int64_t> most;  // [phase] barriers of a warp
  for (const Phase& phase : phases) {
    most.push_back(0);
    for (const std::size_t k : phase.kinds)
      most.back() = std::max(most.back(), programs.barriers_of(k));
  }
  constexpr std::size_t kNotAdmitted = std::numeric_limits<std::size_t>::max();
  std::map<std::vector<std::size_t>, std::size_t>
      known;  // [phase] kind, and whose block it is in: most differs
  for (const std::vector<char>& of_slot : admits) {
    for (std::size_t w = 0; w < phases[0].kinds.size(); ++w) {
      std::vector<std::size_t> kinds;
      for (std::size_t p = 0; p < phases.size(); ++p)
        kinds.push_back(of_slot[p] ? phases[p].kinds[w] : kNotAdmitted);
      const auto [it, is_new] = known.try_emplace(kinds, out.rows.size());
      out.of_warp.push_back(it->second);
      if (!is_new) continue;
      WarpRows& rows = out.rows.emplace_back();
      std::vector<std::int64_t>& first = out.first.emplace_back();
      for (std::size_t p = 0; p < phases.size(); ++p) {
        const std::int64_t extra = of_slot[p] ? most[p] - programs.barriers_of(kinds[p]) : 0;
        first.push_back(of_slot[p] ? rows.append(programs, kinds[p], extra) : 0);
      }
      out.segments = std::max(out.segments, rows.segments().size());
      out.loops = std::max(out.loops, rows.loops().size());
    }
  }
  return out;
}

void add_segments(const SlotWarps& slots, std::int64_t branch_cycles, ParameterValues& values) {
  const auto add = [&](const char* name, auto&& value) {
    std::vector<std::int64_t>& list = values[name];
    const bool is_positive = name == std::string("issue") || name == std::string("work");
    list.assign(slots.of_warp.size() * slots.segments, is_positive ? 1 : 0);
    for (std::size_t w = 0; w < slots.of_warp.size(); ++w) {
      const auto& rows = slots.rows_of(w).segments();
      for (std::size_t k = 0; k < rows.size(); ++k)
        list[w * slots.segments + k] = value(rows[k], w + k);
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

void add_loops(const SlotWarps& slots, ParameterValues& values) {
  const LoopRow no_loop;
  for (const std::size_t i : slots.of_warp) {
    values["first"].insert(values["first"].end(), slots.first[i].begin(), slots.first[i].end());
    const std::vector<LoopRow>& rows = slots.rows[i].loops();
    for (std::size_t q = 0; q < slots.loops; ++q) {
      const LoopRow& loop = q < rows.size() ? rows[q] : no_loop;
      values["trips"].push_back(loop.trips);
      values["body"].push_back(loop.body);
      values["next_after"].push_back(loop.next.segment);
      values["turn_after"].push_back(loop.next.loop);
    }
  }
}

}  // namespace

namespace {

// Of a segment.
const std::vector<std::string>& unit_cycles() {
  static const std::vector<std::string> names{"issue",         "slow", "work",   "quick_port",
                                              "quick_latency", "port", "memory", "atomic",
                                              "latency",       "joins"};
  return names;
}

}  // namespace

const std::vector<std::string>& program_parameters() {
  static const std::vector<std::string> names{
      "B",    "R",     "Wb",   "K",     "Q",     "P",          "first",      "next",
      "turn", "trips", "body", "waits", "ahead", "next_after", "turn_after", "blocks"};
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

ParameterValues sm_parameters(const Launch& profiled, const DeviceProfile& device,
                              FirstBlocks first) {
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
  CostedPrograms programs(launch, model, overlap_of(launch, model, blocks > slots));
  const auto admits = admitted(phases, slots, first);
  const SlotWarps warps = warps_of_slots(programs, phases, admits);
  const double rounds = static_cast<double>(launch.grid) / static_cast<double>(sms * slots);
  ParameterValues values{{"B", {blocks}},
                         {"R", {slots}},
                         {"Wb", {launch.warps_per_block()}},
                         {"K", {static_cast<std::int64_t>(warps.segments)}},
                         {"Q", {static_cast<std::int64_t>(warps.loops)}},
                         {"P", {static_cast<std::int64_t>(phases.size())}},
                         {"blocks", {0}},
                         {"ahead", {accesses_ahead(launch, model, rounds)}},
                         {"dispatch", {model.dispatch_cycles()}},
                         {"turnover", {model.turnover_cycles()}},
                         {"barrier", {model.barrier_cycles()}},
                         {"launch", {rounded_cycles(launch_cycles(launch, device))}}};
  for (const Phase& phase : phases) values["blocks"].push_back(phase.blocks);
  if (first == FirstBlocks::kInTheirOrder) {
    for (const auto& of_slot : admits)
      values[kAdmits].insert(values[kAdmits].end(), of_slot.begin(), of_slot.end());
  }
  add_segments(warps, rounded_cycles(model.branch_cycles()), values);
  add_loops(warps, values);
  return values;
}

}  // namespace pnsim
