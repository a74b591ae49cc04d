#include "simulator/model/sm/sm_parameters.h"

#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/model/sm/block_slots.h"

namespace pnsim {
namespace {

constexpr double kMaxCycles = 0x1p40;

using SegmentRow = WarpRows::Rows::SegmentRow;

// std::floor for numbers below kMaxCycles. Without SSE4.1, std::floor is a slow library call.
std::int64_t floored(double x) {
  const auto towards_zero = static_cast<std::int64_t>(x);
  return towards_zero - (x < static_cast<double>(towards_zero) ? 1 : 0);
}

// Whole cycles, whose mean over many instances is `cycles`: the fractions are spread evenly.
std::int64_t whole(double cycles, std::size_t instance) {
  const std::int64_t floor = floored(cycles);
  const double fraction = cycles - static_cast<double>(floor);
  if (fraction == 0) return floor;
  const auto i = static_cast<double>(instance);
  return floor + floored((i + 1) * fraction) - floored(i * fraction);
}

// Cycles of a segment that are never 0.
bool is_at_least_one(std::string_view name) { return name == "issue" || name == "work"; }

void add_segments(const SlotWarps& slots, std::int64_t branch_cycles, const SegmentName& name_of,
                  ParameterValues& values) {
  const auto add = [&](const char* name, auto&& value) {
    std::vector<std::int64_t>& list = values[name];
    list.assign(slots.of_warp.size() * slots.segments, is_at_least_one(name) ? 1 : 0);
    for (std::size_t w = 0; w < slots.of_warp.size(); ++w) {
      const auto& rows = slots.rows_of(w).segments();
      for (std::size_t k = 0; k < rows.size(); ++k)
        list[w * slots.segments + k] = value(rows[k], w, k);
    }
  };
  const auto checked = [&](const char* name, double cycles, std::size_t w, std::size_t k) {
    if (cycles < kMaxCycles) return whole(cycles, w + k);
    fail_limit(name_of(w, k) + " takes over 2^40 cycles of the unit \"" + name +
               "\", more than a net of an SM takes; correct its counts");
  };
  const auto add_cycles = [&](const char* name, double SegmentCost::*cycles) {
    add(name, [&](const SegmentRow& row, std::size_t w, std::size_t k) {
      return checked(name, row.what.*cycles, w, k);
    });
  };
  add_cycles("issue", &SegmentCost::issue);
  add_cycles("slow", &SegmentCost::slow);
  add_cycles("addresses", &SegmentCost::addresses);
  add_cycles("tensor", &SegmentCost::tensor);
  // The jump back to the head of a loop is a branch; the net's own step is one of its cycles.
  add("work", [&](const SegmentRow& row, std::size_t w, std::size_t k) {
    const bool goes_back = row.next.segment == kNoRow && row.next.loop != kNoRow;
    const std::int64_t work = checked("work", row.what.work, w, k);
    return std::max<std::int64_t>(work + (goes_back ? branch_cycles - 1 : 0), 1);
  });
  add_cycles("quick_port", &SegmentCost::quick_port);
  add_cycles("quick_latency", &SegmentCost::quick_latency);
  add_cycles("product_latency", &SegmentCost::product_latency);
  add_cycles("port", &SegmentCost::port);
  add_cycles("memory", &SegmentCost::memory);
  add_cycles("atomic", &SegmentCost::atomic);
  add_cycles("latency", &SegmentCost::latency);
  add("waits",
      [](const SegmentRow& row, auto, auto) { return static_cast<std::int64_t>(row.what.waits); });
  add("groups", [](const SegmentRow& row, auto, auto) { return row.what.groups; });
  add("awaited", [](const SegmentRow& row, auto, auto) { return row.what.awaited; });
  add("fills", [](const SegmentRow& row, auto, auto) { return row.what.fills; });
  add("drains", [](const SegmentRow& row, auto, auto) { return row.what.drains; });
  add("joins", [](const SegmentRow& row, auto, auto) { return std::int64_t{row.what.joins}; });
  add("next", [](const SegmentRow& row, auto, auto) { return row.next.segment; });
  add("turn", [](const SegmentRow& row, auto, auto) { return row.next.loop; });
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

// The parameters with one value per segment.
const std::vector<std::string>& unit_cycles() {
  static const std::vector<std::string> names{
      "issue",           "slow", "addresses", "tensor", "work",    "quick_port", "quick_latency",
      "product_latency", "port", "memory",    "atomic", "latency", "joins"};
  return names;
}

}  // namespace

const std::vector<std::string>& program_parameters() {
  static const std::vector<std::string> names{
      "B",          "R",      "Wb",     "K",       "Q",     "P",      "first",
      "next",       "turn",   "trips",  "body",    "waits", "ahead",  "next_after",
      "turn_after", "blocks", "groups", "awaited", "fills", "drains", "ring"};
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

void multiply_cycles(const ParameterFactors& factors, ParameterValues& values) {
  for (const auto& [name, factor] : factors) {
    std::vector<std::int64_t>& list = values.at(name);
    multiply_list(factor, name, list);
    if (!is_at_least_one(name)) continue;
    for (std::int64_t& value : list) value = std::max<std::int64_t>(value, 1);
  }
}

ParameterValues net_values(const SlotWarps& warps, double branch_cycles, const SegmentName& name) {
  ParameterValues values{{"K", {static_cast<std::int64_t>(warps.segments)}},
                         {"Q", {static_cast<std::int64_t>(warps.loops)}}};
  add_segments(warps, rounded_cycles(branch_cycles), name, values);
  add_loops(warps, values);
  return values;
}

}  // namespace pnsim
