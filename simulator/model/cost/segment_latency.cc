// Of segment_cost.h: how long loads take.
#include <algorithm>
#include <cmath>

#include "simulator/model/cost/segment_cost.h"

namespace pnsim {
namespace {

// Global accesses of a segment, each of which passes the port once at least.
double loads_of(const Segment& segment) {
  double count = 0;
  for (const SegmentAccess& access : segment.accesses) {
    const bool is_global =
        find_opcode_class(access.access_class)->paper == InstructionClass::kGlobal;
    count += is_global ? static_cast<double>(access.count) : 0;
  }
  return count;
}

bool makes_atomics(const Segment& segment) {
  return std::any_of(segment.accesses.begin(), segment.accesses.end(),
                     [](const SegmentAccess& access) {
                       const OpcodeClass& cls = *find_opcode_class(access.access_class);
                       return is_global_atomic(cls) && is_global_load(cls);
                     });
}

// Of the load that asks for most, mean over its executions.
double most_lines(const Segment& segment) {
  double most = 1;
  for (const SegmentAccess& access : segment.accesses) {
    const OpcodeClass& cls = *find_opcode_class(access.access_class);
    if (!is_global_load(cls)) continue;
    most = std::max(most, access.tags / static_cast<double>(access.count));
  }
  return most;
}

// Lines that lie apart: those of lanes side by side are in one row of DRAM, and come together.
double places(const SegmentAccess& access) {
  return is_of_rows(access) ? std::min(static_cast<double>(access.count), access.tags)
                            : access.tags;
}

// What a warp asks for with loads that are in flight together.
struct Asked {
  double lines = 0, places = 0;  // of L1, whoever has them
  double l2_sectors = 0, dram_sectors = 0;

  double l2_lines() const { return std::min(lines, l2_sectors); }
  double dram_lines() const { return std::min(places, dram_sectors); }
  void add(const Segment& segment, const std::vector<LoadTraffic>& rows) {
    for (std::size_t a = 0; a < segment.accesses.size(); ++a) {
      const SegmentAccess& access = segment.accesses[a];
      if (!is_global_load(*find_opcode_class(access.access_class))) continue;
      const double sectors = access.sectors * (1 - rows[a].l1_hits);
      lines += access.tags;
      places += pnsim::places(access);
      l2_sectors += sectors;
      dram_sectors += sectors * rows[a].l2_misses;
    }
  }
};

}  // namespace

// A line that is missed by one of a block's warps is one that the others wait for too, unless each
// of them asks for many lines, or for local memory: these are its own. Of many lines in one load
// that are touched again and again, in no order, the first touches come early: on average so many
// loads miss some line as the sum 1 + 1/2 + ... + 1/lines says (the coupon collector's). Columns
// that a block's warps read once, by addresses of their places in the grid, are in lines that they
// share.
double CostModel::any(const Segment& segment, const SegmentLoads& rows, bool is_straight,
                      double (*chance)(const LoadTraffic&)) const {
  constexpr double kMostLines = 32;  // of a warp: a lane each
  constexpr double kFewLines = 2;    // two rows of a tile: warps side by side ask for the same
  double none = 1;
  for (std::size_t a = 0; a < segment.accesses.size(); ++a) {
    const SegmentAccess& access = segment.accesses[a];
    const OpcodeClass& cls = *find_opcode_class(access.access_class);
    if (!is_global_load(cls)) continue;
    const auto count = static_cast<double>(access.count);
    const double lines = std::clamp(access.tags / count, 1.0, kMostLines);
    const bool are_columns = is_straight && is_computed(access.addresses);
    const bool are_own =
        access.addresses == Addresses::kLoaded || !is_of_rows(access);  // lines of lanes
    const double others =
        are_columns
            ? 1
            : std::max((are_own ? lines_if_all_were_active(access) : lines) / kFewLines, 1.0);
    const double warps = is_local_access(cls) ? 1 : std::max(warps_per_block_ / others, 1.0);
    double first_touches = 0;
    for (double line = 1; line <= lines + 0.5; ++line) first_touches += 1 / line;
    none *= 1 - std::min(chance(rows[a]) * first_touches * count * warps, 1.0);
  }
  return 1 - none;
}

namespace {

double misses_l1(const LoadTraffic& row) { return 1 - row.l1_hits; }
double misses_l2(const LoadTraffic& row) { return (1 - row.l1_hits) * row.l2_misses; }

}  // namespace

double CostModel::l2_share(std::size_t segment) const {
  return any(segments_[segment], traffic_.rows[segment], straight_[segment], misses_l1);
}

double CostModel::dram_share(std::size_t segment) const {
  return traffic_.still_missed *
         any(segments_[segment], traffic_.rows[segment], straight_[segment], misses_l2);
}

namespace {

// From 1 to `lines`, at most to `most`.
double doublings(double lines, double most) { return std::log2(std::clamp(lines, 1.0, most)); }

}  // namespace

// What a load of so many lines takes longer than one of a single line, at L1, at L2 and at DRAM:
// between what was measured by lines, or by their doublings.
double CostModel::l1_lines_cycles(double lines) const {
  const double most =
      device_.positive("l1_32_lines_latency_cycles") - device_.positive("l1_1_line_latency_cycles");
  return std::clamp((lines - 1) / 31, 0.0, 1.0) * std::max(most, 0.0);
}

double CostModel::l2_lines_cycles(double lines) const {
  const double one = device_.positive("l2_1_line_latency_cycles"),
               four = device_.positive("l2_4_lines_latency_cycles"),
               most = device_.positive("l2_32_lines_latency_cycles");
  return doublings(lines, 4) / 2 * std::max(four - one, 0.0) +
         std::clamp((lines - 4) / 28, 0.0, 1.0) * std::max(most - four, 0.0);
}

// The slowest of so many, each by chance near or far, in an open row of DRAM or not.
double CostModel::dram_lines_cycles(double lines) const {
  const double one = device_.positive("dram_1_line_latency_cycles"),
               four = device_.positive("dram_4_lines_latency_cycles"),
               most = device_.positive("dram_32_lines_latency_cycles");
  return doublings(lines, 4) / 2 * std::max(four - one, 0.0) +
         doublings(lines / 4, 8) / 3 * std::max(most - four, 0.0);
}

// Of the slowest of the segment's loads, 0 when it has none. Who waits for it waits for those
// `before` too, and for what their lines bring to the warps beside it.
double CostModel::load_latency(const Segment& segment, const SegmentLoads& rows,
                               const Surroundings& around, double port) const {
  const bool loads = std::any_of(segment.accesses.begin(), segment.accesses.end(),
                                 [](const SegmentAccess& access) {
                                   const OpcodeClass& cls = *find_opcode_class(access.access_class);
                                   return is_global_load(cls);
                                 });
  if (!loads) return 0;
  std::int64_t begin = 0;
  for (const auto& [result, slots] : segment.begins) {
    if (!is_quick(result)) begin = std::max(begin, slots);
  }
  const bool fetches = segment.classes.contains("texture");
  const bool only_fetches = std::none_of(
      segment.accesses.begin(), segment.accesses.end(), [](const SegmentAccess& access) {
        return access.access_class != "texture" &&
               is_global_load(*find_opcode_class(access.access_class));
      });
  const double of_load = device_.positive("l1_latency_cycles");
  const double l1 = fetches ? device_.positive("texture_latency_cycles") : of_load;
  const double way =
      only_fetches ? l1 - of_load : 0;  // through the texture unit, wherever the sector is found
  const double lines = most_lines(segment), l1_lines = l1_lines_cycles(lines);
  const double at_l1 = l1 + std::max(l1_lines, port - static_cast<double>(loads_of(segment)));
  Asked asked;
  asked.add(segment, rows);
  double any_from_dram = any(segment, rows, around.is_straight, misses_l2);
  for (const std::size_t s : around.before) {
    asked.add(segments_[s], traffic_.rows[s]);
    any_from_dram =
        std::max(any_from_dram, any(segments_[s], traffic_.rows[s], straight_[s], misses_l2));
  }
  const double longer = std::max(l2_lines_cycles(std::max(lines, asked.l2_lines())), at_l1 - l1);
  // An atomic whose result is waited for, beyond a load: each alone.
  const double operation =
      makes_atomics(segment)
          ? std::max(cycles("global_atomic_alone_ns") - cycles("global_load_alone_ns"), 0.0)
          : 0;
  const double at_l2 = way + l2_latency_ + longer + operation;
  const double at_dram =
      way + dram_latency_ + std::max(dram_lines_cycles(asked.dram_lines()), longer) + operation;
  const double any_from_l2 =
      around.finds_l1_empty ? 1 : any(segment, rows, around.is_straight, misses_l1);
  return static_cast<double>(begin) + at_l1 + any_from_l2 * (at_l2 - at_l1) +
         traffic_.still_missed * any_from_dram * (at_dram - at_l2);
}

}  // namespace pnsim
