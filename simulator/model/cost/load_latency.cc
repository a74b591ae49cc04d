#include "simulator/model/cost/load_latency.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "simulator/model/cost/atomics.h"
#include "simulator/model/cost/l1_port.h"
#include "simulator/model/cost/miss_share.h"
#include "simulator/model/cost/texture_cost.h"
#include "simulator/model/launch/memory_units.h"

namespace pnsim {
namespace {

template <class IsOne>
bool any_of(const std::vector<AccessPattern>& patterns, IsOne&& is_one) {
  return std::any_of(patterns.begin(), patterns.end(), is_one);
}

// Lines of the load that has most of them, mean over its executions.
double most_lines(const std::vector<AccessPattern>& patterns) {
  double most = 1;
  for (const AccessPattern& access : patterns) {
    if (access.is_load) most = std::max(most, access.lines);
  }
  return most;
}

constexpr double kLinesOfDramRow = 4;  // of a coalesced access: 16 bytes a lane

// True if the loads of a row with neighbouring offsets (the words of a structure) fill the sectors
// that they request together.
bool fill_together(const SegmentAccess& access) {
  constexpr double kFilled = 0.9;
  if (access.addresses == Addresses::kLoaded) return false;  // the structures lie anywhere
  const double sectors = access.sectors * access.new_sector_share;
  return access.lanes * static_cast<double>(access.bytes) * access.count >=
         kFilled * kSectorBytes * sectors;
}

// The share of the lines that a warp requests for the first time: loads at other offsets request
// them again. Rows that all warps of a block load are new to one warp (SegmentAccess), which
// requests all of them.
double new_share_of_a_warp(const SegmentAccess& access, const AccessPattern& pattern,
                           double warps) {
  const double share = access.new_sector_share;
  const bool are_of_block = pattern.coalesced && share * warps <= 1;
  return are_of_block ? share * warps : share;
}

// Lines of an access that lie apart in DRAM, where the warp requests the share `once` of them
// first.
double lines_apart(const SegmentAccess& access, const AccessPattern& pattern, double once) {
  const double lines = once * access.tag_lookups;
  if (pattern.coalesced) return std::min(once * pattern.count, lines);
  return fill_together(access) ? lines / kLinesOfDramRow : lines;
}

// What the loads of a segment request.
struct RequestedLines {
  double lines = 0;      // of L1
  double dram_rows = 0;  // lines that lie apart in DRAM
  double l2_sectors = 0, dram_sectors = 0;

  double l2_lines() const { return std::min(lines, l2_sectors); }
  double dram_lines() const { return std::min(dram_rows, dram_sectors); }
};

// `warps` of a block. Without `rows_share` all lines lie apart in DRAM.
RequestedLines lines_of_loads(const SegmentView& view, double warps, bool rows_share) {
  RequestedLines out;
  for (std::size_t a = 0; a < view.patterns.size(); ++a) {
    const SegmentAccess& access = view.segment.accesses[a];
    const AccessPattern& pattern = view.patterns[a];
    if (!pattern.is_load) continue;
    const double once = new_share_of_a_warp(access, pattern, warps);
    const double sectors = access.sectors * (1 - view.loads[a].l1_hits);
    out.lines += once * access.tag_lookups;
    out.dram_rows += rows_share ? lines_apart(access, pattern, once) : once * access.tag_lookups;
    out.l2_sectors += sectors;
    out.dram_sectors += sectors * view.loads[a].l2_misses;
  }
  return out;
}

// From 1 to `lines`, at most to `most`.
double doublings(double lines, double most) { return std::log2(std::clamp(lines, 1.0, most)); }

// What a bulk copy takes beyond a load of L2: its way through the copy engine and its mbarrier.
double copy_engine_cycles(const Segment& segment, const DeviceFacts& facts) {
  if (!facts.bulk_copies || !segment.awaits_bulk_copies) return 0;
  return std::max(facts.bulk_copies->bulk_load_1024_bytes_latency_cycles - facts.l2_latency_cycles,
                  0.0);
}

// Iterations over which the latency of the segment's copies is spread. With n groups in flight a
// warp waits for copies that it issued n iterations before, so an iteration takes at least a
// (1 + n)-th of the latency. Bulk copies that no warp waits for have next to none: the net adds up
// the latencies of a warp's segments until something waits.
double stages_of(const SegmentView& view) {
  const auto has = [&](auto is_one) {
    return any_of(view.patterns,
                  [&](const AccessPattern& access) { return access.is_load && is_one(access); });
  };
  if (has([](const AccessPattern& access) { return !access.is_copy && !access.is_bulk; })) return 1;
  if (has([](const AccessPattern& access) { return access.is_bulk; }))
    return view.segment.awaits_bulk_copies ? 1 : 1 + kMostCopyStages;
  return 1 + view.segment.copy_stages;
}

// What a load of `lines` lines takes longer at L2 because some of them are in the other partition:
// each line with the same probability. The launch counts one miss for a pair of sectors, so two for
// a line.
double crossing_cycles(const SegmentView& view, double lines, const CostInputs& in) {
  const DeviceFacts& facts = in.facts;
  if (!facts.stored_lines || facts.l2_partitions < 2) return 0;
  const double others = (facts.l2_partitions - 1) / facts.l2_partitions;
  const double longer =
      std::max(facts.stored_lines->l2_stored_latency_cycles - facts.l2_latency_cycles, 0.0) /
      others;
  const double far = std::clamp(2 * in.traffic.l2.crossing, 0.0, others);
  const double some = 1 - std::pow(1 - far, std::max(lines, 1.0));
  return longer * slowest_warp_share(some, view, in.heuristics);
}

// Issue slots before the segment's last load.
std::int64_t last_load_slot(const Segment& segment) {
  std::int64_t begin = 0;
  for (const auto& [result, slots] : segment.last_producer_slots) {
    if (is_load(result)) begin = std::max(begin, slots);
  }
  return begin;
}

bool has_loads(const SegmentView& view) {
  return any_of(view.patterns, [](const AccessPattern& access) { return access.is_load; });
}

// A segment without the loads that the next wait for loads leaves in flight.
class AwaitedLoads {
 public:
  AwaitedLoads(const SegmentView& view, const Heuristics& heuristics) : view_(view) {
    const auto outlives = [](const SegmentAccess& access) { return access.outlives_wait; };
    const auto& accesses = view.segment.accesses;
    if (!view.hands_on_loads || !heuristics.on(Heuristic::kLoadsOutliveWaits) ||
        std::none_of(accesses.begin(), accesses.end(), outlives))
      return;
    auto rest = std::make_unique<Rest>(Rest{view.segment, {}, {}});
    rest->segment.accesses.clear();
    for (std::size_t a = 0; a < accesses.size(); ++a) {
      if (outlives(accesses[a])) continue;
      rest->segment.accesses.push_back(accesses[a]);
      rest->patterns.push_back(view.patterns[a]);
      rest->loads.push_back(view.loads[a]);
    }
    rest_ = std::move(rest);
  }
  SegmentView view() const {
    if (!rest_) return view_;
    return {rest_->segment,
            rest_->patterns,
            rest_->loads,
            view_.is_straight,
            view_.executions_between_barriers,
            view_.executing_warps};
  }

 private:
  struct Rest {
    Segment segment;
    std::vector<AccessPattern> patterns;
    std::vector<LoadTraffic> loads;
  };
  SegmentView view_;
  std::unique_ptr<Rest> rest_;
};

}  // namespace

double slowest_sm_cycles(const DeviceFacts& facts) {
  return std::max(facts.l2_slowest_sm_latency_cycles - facts.l2_mean_sm_latency_cycles, 0.0);
}

// A launch of one wave ends with the farthest SM that has blocks. With several waves slow SMs get
// fewer blocks.
LoadLatencies unloaded_latencies(const Launch& launch, bool several_waves, const DeviceFacts& facts,
                                 const Heuristics& heuristics) {
  double farther = 0;
  if (!several_waves && heuristics.on(Heuristic::kFarthestSm)) {
    const double busy = std::clamp(static_cast<double>(launch.grid), 1.0, facts.sms);
    farther = slowest_sm_cycles(facts) * (1 - 1 / busy);
  }
  return {facts.l2_latency_cycles + farther, facts.dram_latency_cycles + farther};
}

LoadLatencies with_queueing(const LoadLatencies& unloaded, const LoadLatencies& more) {
  const double l2 = unloaded.l2 + more.l2;
  return {l2, std::max(unloaded.dram + more.dram, l2)};
}

// Interpolated between the measurements with 1 and with 32 lines.
double l1_lines_cycles(double lines, const DeviceFacts& facts) {
  const double most = facts.l1_32_lines_latency_cycles - facts.l1_1_line_latency_cycles;
  return std::clamp((lines - 1) / 31, 0.0, 1.0) * std::max(most, 0.0);
}

// From 1 to 4 lines by doublings, then linearly to 32.
double l2_lines_cycles(double lines, const DeviceFacts& facts) {
  const double one = facts.l2_1_line_latency_cycles, four = facts.l2_4_lines_latency_cycles,
               most = facts.l2_32_lines_latency_cycles;
  return doublings(lines, 4) / 2 * std::max(four - one, 0.0) +
         std::clamp((lines - 4) / 28, 0.0, 1.0) * std::max(most - four, 0.0);
}

// The load waits for its slowest line. Each line is near or far, and in an open DRAM row or not, at
// random.
double dram_lines_cycles(double lines, const DeviceFacts& facts) {
  const double one = facts.dram_1_line_latency_cycles, four = facts.dram_4_lines_latency_cycles,
               most = facts.dram_32_lines_latency_cycles;
  return doublings(lines, 4) / 2 * std::max(four - one, 0.0) +
         doublings(lines / 4, 8) / 3 * std::max(most - four, 0.0);
}

LoadWaits load_waits(const CostInputs& in, std::size_t segment) {
  const AwaitedLoads awaited(view_of(in, segment), in.heuristics);
  LoadWaits waits{miss_share(awaited.view(), in.heuristics, misses_l1),
                  miss_share(awaited.view(), in.heuristics, misses_l2)};
  // What the first wait has taken is not waited for again.
  const auto later = [&](std::size_t other, double (*chance)(const LoadTraffic&)) {
    const SegmentView view = view_of(in, other);
    const AwaitedLoads taken(view, in.heuristics);
    return miss_share(view, in.heuristics, chance) -
           miss_share(taken.view(), in.heuristics, chance);
  };
  const LoadWaits own = waits;
  for (const OvertakenLoads& one : in.contexts[segment].loads_before.overtaken) {
    LoadWaits more;
    for (const std::size_t other : one.segments) {
      more.l2 = std::max(more.l2, later(other, misses_l1) - own.l2);
      more.dram = std::max(more.dram, later(other, misses_l2) - own.dram);
    }
    waits.l2 += one.share * more.l2;
    waits.dram += one.share * more.dram;
  }
  waits.dram *= in.traffic.dram.repeated_misses;
  return waits;
}

namespace {

// The latency of the segment's own loads.
LoadTime own_latency(const LatencyInputs& of, const CostInputs& in,
                     const LoadLatencies& latencies) {
  const SegmentView& view = of.segment;
  const DeviceFacts& facts = in.facts;
  const bool fetches = view.segment.classes.contains("texture");
  const bool only_fetches = !any_of(view.patterns, [](const AccessPattern& access) {
    return access.is_load && !access.is_texture;
  });
  const double l1 = fetches ? texture_latency_cycles(view.segment, facts, in.heuristics)
                            : facts.l1_latency_cycles;
  // The latency of the texture unit applies at every level of memory.
  const double texture_unit = only_fetches ? l1 - facts.l1_latency_cycles : 0;
  const double lines = most_lines(view.patterns);
  const auto begin = static_cast<double>(last_load_slot(view.segment));
  // Other warps load, too, so that the port may not be free before the last load is issued.
  const double passing = longer_at_l1_port(view, in);
  const double at_l1 =
      l1 + std::max({l1_lines_cycles(lines, facts), passing, l1_replays(view, in).after(begin)});

  const RequestedLines requested =
      lines_of_loads(view, static_cast<double>(in.launch.warps_per_block()),
                     in.heuristics.on(Heuristic::kNeighboursShareDramRow));
  const double from_l2 = std::max(miss_share(view, in.heuristics, misses_l1), of.not_in_l1),
               from_dram = miss_share(view, in.heuristics, misses_l2);

  const double longer =
      std::max(l2_lines_cycles(std::max(lines, requested.l2_lines()), facts), passing);
  const bool waits_for_atomic = any_of(view.patterns, [](const AccessPattern& access) {
    return access.is_atomic && access.is_load;
  });
  const double operation = (waits_for_atomic ? atomic_latency_cycles(facts) : 0) +
                           copy_engine_cycles(view.segment, facts);
  const double at_l2 = texture_unit + latencies.l2 + longer + operation;
  const double at_dram = texture_unit + latencies.dram +
                         std::max(dram_lines_cycles(requested.dram_lines(), facts), longer) +
                         operation;
  LoadTime out;
  const double crossing = crossing_cycles(view, std::max(lines, requested.l2_lines()), in);
  out.l2 = from_l2 * std::max(at_l2 + crossing - at_l1, 0.0);
  out.dram = in.traffic.dram.repeated_misses * from_dram * (at_dram - at_l2);
  const double stages = stages_of(view);
  out.whole = begin + at_l1 + out.l2 + out.dram;
  out.l2 /= stages;
  out.dram /= stages;
  out.cycles = begin + at_l1 / stages + out.l2 + out.dram;
  return out;
}

constexpr double LoadTime::*kParts[] = {&LoadTime::cycles, &LoadTime::l2, &LoadTime::dram,
                                        &LoadTime::whole};

LoadTime alone(const SegmentView& view, const CostInputs& in, const LoadLatencies& latencies) {
  return has_loads(view) ? own_latency({view}, in, latencies) : LoadTime{};
}

// What the wait has taken that the loads of `awaited` were waited for with.
LoadTime waited_for(std::span<const SegmentView> awaited, const CostInputs& in,
                    const LoadLatencies& latencies) {
  LoadTime waited;
  for (const SegmentView& other : awaited) {
    const LoadTime time = alone(AwaitedLoads(other, in.heuristics).view(), in, latencies);
    for (double LoadTime::*part : kParts) waited.*part = std::max(waited.*part, time.*part);
  }
  return waited;
}

// `own`, or what the loads that have outlived the wait take longer than it, if that is more.
LoadTime behind(const OvertakenViews& overtaken, const LoadTime& own, const CostInputs& in,
                const LoadLatencies& latencies) {
  const LoadTime waited = waited_for(overtaken.awaited, in, latencies);
  LoadTime most = own;
  for (const SegmentView& earlier : overtaken.segments) {
    LoadTime later = alone(earlier, in, latencies);
    for (double LoadTime::*part : kParts) later.*part = std::max(later.*part - waited.*part, 0.0);
    if (later.cycles > most.cycles) most = later;
  }
  return most;
}

}  // namespace

// The mean over the executions.
LoadTime load_latency(const LatencyInputs& of, const CostInputs& in,
                      const LoadLatencies& latencies) {
  const AwaitedLoads awaited(of.segment, in.heuristics);
  const SegmentView view = awaited.view();
  const LoadTime own =
      has_loads(view) ? own_latency({view, {}, of.not_in_l1}, in, latencies) : LoadTime{};
  LoadTime mean = own;
  for (const OvertakenViews& one : of.overtaken) {
    const LoadTime time = behind(one, own, in, latencies);
    for (double LoadTime::*part : kParts) mean.*part += one.share * (time.*part - own.*part);
  }
  return mean;
}

}  // namespace pnsim
