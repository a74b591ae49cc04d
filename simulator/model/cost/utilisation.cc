#include "simulator/model/cost/utilisation.h"

#include <algorithm>
#include <cmath>

#include "simulator/model/cost/launch_cost.h"

namespace pnsim {
namespace {

void add(const WarpLoad& one, double times, WarpLoad& sum) {
  sum.cycles += times * one.cycles;
  sum.l2_cycles += times * one.l2_cycles;
  sum.dram_cycles += times * one.dram_cycles;
  sum.l2_waits += times * one.l2_waits;
  sum.dram_waits += times * one.dram_waits;
  sum.accesses += times * one.accesses;
  sum.memory_cycles += times * one.memory_cycles;
  sum.latency_cycles += times * one.latency_cycles;
}

// The work of a segment, and the latencies of its loads while they are outstanding.
struct SegmentLoad {
  WarpLoad itself;
  double latency = 0, l2_waits = 0, dram_waits = 0;
  bool waits_for_loads = false;  // of segments before it
};

SegmentLoad load_of(const SegmentCost& cost, const LoadWaits& waits) {
  const bool accesses = cost.memory > 0;
  const double other_results = std::max(cost.quick_latency, cost.product_latency);
  SegmentLoad load;
  load.itself = {.cycles = cost.work + other_results,
                 .l2_cycles = cost.l2,
                 .dram_cycles = cost.dram,
                 .accesses = accesses ? 1.0 : 0.0,
                 .memory_cycles = cost.memory,
                 .latency_cycles = accesses ? cost.latency : 0.0};
  load.latency = std::max(cost.latency - other_results, 0.0);
  load.l2_waits = waits.l2;
  load.dram_waits = waits.dram;
  load.waits_for_loads = cost.waits == Waits::kLoads || cost.waits == Waits::kAll;
  return load;
}

// Walks a program like a warp: loads are outstanding until a segment waits for all of them.
class ProgramWalk {
 public:
  explicit ProgramWalk(const std::vector<SegmentLoad>& segments) : segments_(segments) {}

  WarpLoad load_of(const std::vector<ProgramItem>& program) const {
    WarpLoad sum;
    SegmentLoad outstanding;
    for (const ProgramItem& item : program) {
      if (!item.segment || item.repeat > 1 || segments_[*item.segment].waits_for_loads)
        wait(outstanding, sum);
      if (!item.segment) {
        add(load_of(item.body), static_cast<double>(item.repeat), sum);
      } else if (item.repeat > 1) {  // each iteration is waited for
        add(load_of({one_iteration(item)}), static_cast<double>(item.repeat), sum);
      } else {
        begin(segments_[*item.segment], outstanding, sum);
      }
    }
    wait(outstanding, sum);
    return sum;
  }

 private:
  static ProgramItem one_iteration(ProgramItem item) {
    item.repeat = 1;
    return item;
  }
  static void begin(const SegmentLoad& segment, SegmentLoad& outstanding, WarpLoad& sum) {
    add(segment.itself, 1, sum);
    outstanding.latency = std::max(outstanding.latency - segment.itself.cycles, segment.latency);
    outstanding.l2_waits = std::max(outstanding.l2_waits, segment.l2_waits);
    outstanding.dram_waits = std::max(outstanding.dram_waits, segment.dram_waits);
  }
  static void wait(SegmentLoad& outstanding, WarpLoad& sum) {
    sum.cycles += outstanding.latency;
    sum.l2_waits += outstanding.l2_waits;
    sum.dram_waits += outstanding.dram_waits;
    outstanding = {};
  }

  const std::vector<SegmentLoad>& segments_;
};

}  // namespace

WarpLoad warp_load(const Launch& launch, const std::vector<SegmentCost>& costs,
                   const std::vector<LoadWaits>& waits) {
  std::vector<SegmentLoad> segments;
  for (std::size_t s = 0; s < costs.size(); ++s) segments.push_back(load_of(costs[s], waits[s]));
  const ProgramWalk walk(segments);
  WarpLoad sum;
  double warps = 0;
  for (const WarpKind& kind : launch.warp_kinds) {
    add(walk.load_of(kind.program), static_cast<double>(kind.warps), sum);
    warps += static_cast<double>(kind.warps);
  }
  WarpLoad mean;
  if (warps > 0) add(sum, 1 / warps, mean);
  return mean;
}

double utilisation_of(double warps, double busy, double cycles, double waits, const Queue& queue) {
  if (warps * busy <= 0 || cycles <= 0) return 0;
  const auto requested = [&](double use) { return warps * busy / (cycles + waits * queue(use)); };
  constexpr int kHalvings = 30;  // to 1e-9
  double low = 0, high = 1;
  if (requested(high) >= high) return high;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (requested(middle) > middle ? low : high) = middle;
  }
  return low;
}

namespace {

// The queueing while `blocks` blocks are resident on each SM.
LoadLatencies queueing_of_blocks(const Launch& launch, const WarpLoad& load, double blocks,
                                 const QueueCurves& curves, const Traffic& traffic,
                                 const Heuristics& heuristics) {
  const double warps = blocks * static_cast<double>(launch.warps_per_block());
  const bool has_mix = heuristics.on(Heuristic::kQueueMix);
  const double l2_mix = has_mix ? traffic.l2.mix() : 0, dram_mix = has_mix ? traffic.dram.mix : 0;
  const auto l2_queue = [&](double use) { return queue_cycles(curves.l2, l2_mix, use); };
  const auto dram_queue = [&](double use) { return queue_cycles(curves.dram, dram_mix, use); };
  return {l2_queue(utilisation_of(warps, load.l2_cycles, load.cycles, load.l2_waits, l2_queue)),
          dram_queue(
              utilisation_of(warps, load.dram_cycles, load.cycles, load.dram_waits, dram_queue))};
}

}  // namespace

LoadLatencies queueing(const Launch& launch, WarpLoad load, const Residency& residency,
                       const Traffic& traffic, const DeviceFacts& facts,
                       const Heuristics& heuristics) {
  if (!heuristics.on(Heuristic::kQueueing)) return {};
  const QueueCurves curves = queue_curves(facts);
  const auto with_blocks = [&](double blocks) {
    return queueing_of_blocks(launch, load, blocks, curves, traffic, heuristics);
  };
  if (residency.several_waves)
    load.cycles += static_cast<double>(turnover_cycles(launch, facts, heuristics));
  const std::int64_t at_a_time = residency.slots * static_cast<std::int64_t>(facts.sms);
  const std::int64_t rounds = launch.grid / at_a_time, left = launch.grid % at_a_time;
  const auto slots = static_cast<double>(residency.slots);
  const LoadLatencies full = with_blocks(slots);
  if (left == 0) return full;
  const LoadLatencies last =
      with_blocks(std::min(static_cast<double>(left) / residency.busy_sms, slots));
  const double share = 1 / static_cast<double>(rounds + 1);
  return {full.l2 + share * (last.l2 - full.l2), full.dram + share * (last.dram - full.dram)};
}

namespace {

// The share of the bandwidth of others, 0 ... 1, that an SM finds idle. All SMs start blocks at the
// same time. Without barriers their blocks request in step, until they have drifted apart.
double apart(const Launch& launch, double rounds, const Heuristics& heuristics) {
  constexpr double kRoundsInStep = 8;
  const auto joins = [](const Segment& segment) { return segment.end == SegmentEnd::kBarrier; };
  if (!heuristics.on(Heuristic::kSmsStartInStep) ||
      std::any_of(launch.segments.begin(), launch.segments.end(), joins))
    return 1;
  return std::max(1 - kRoundsInStep / rounds, 0.0);
}

}  // namespace

std::int64_t accesses_ahead(const Launch& launch, const WarpLoad& load, double rounds,
                            const Heuristics& heuristics) {
  constexpr double kLeast = 2, kMost = 0x1p20, kSeveralRounds = 2;
  if (rounds < kSeveralRounds || load.memory_cycles <= 0 ||
      !heuristics.on(Heuristic::kAccessesAhead))
    return static_cast<std::int64_t>(kLeast);
  const double of_block = static_cast<double>(launch.warps_per_block()) * load.accesses;
  const double outstanding = load.latency_cycles / load.memory_cycles;
  const double most = std::clamp(std::min(of_block, outstanding), kLeast, kMost);
  return std::llround(kLeast + apart(launch, rounds, heuristics) * (most - kLeast));
}

double level_overlap(const WarpLoad& load, bool several_waves, double missing,
                     const Heuristics& heuristics) {
  if (!several_waves || load.memory_cycles <= 0 || !heuristics.on(Heuristic::kLevelsOverlap))
    return 1;
  return std::min(both_levels(load.l2_cycles, load.dram_cycles, missing) / load.memory_cycles, 1.0);
}

}  // namespace pnsim
