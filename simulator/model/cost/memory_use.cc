#include "simulator/model/cost/memory_use.h"

#include <algorithm>
#include <cmath>

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

// Of a segment: what it does itself, and what is waited for once it has begun its loads.
struct SegmentLoad {
  WarpLoad itself;
  double latency = 0, l2_waits = 0, dram_waits = 0;
  bool waits_for_loads = false;  // of segments before it
};

SegmentLoad load_of(std::size_t segment, const CostModel& model) {
  const SegmentCost cost = model.cost(segment);
  const bool asks = cost.memory > 0;
  SegmentLoad load;
  load.itself = {
      cost.work + cost.quick_latency, cost.l2, cost.dram, 0, 0, asks ? 1.0 : 0.0, cost.memory,
      asks ? cost.latency : 0.0};
  load.latency = std::max(cost.latency - cost.quick_latency, 0.0);
  load.l2_waits = model.l2_share(segment);
  load.dram_waits = model.dram_share(segment);
  load.waits_for_loads = cost.waits == Waits::kAll;
  return load;
}

// A warp's way through a program: loads are in flight until a segment waits for them, all at a
// time.
class Way {
 public:
  explicit Way(const std::vector<SegmentLoad>& segments) : segments_(segments) {}

  WarpLoad load_of(const std::vector<ProgramItem>& program) const {
    WarpLoad sum;
    SegmentLoad in_flight;
    for (const ProgramItem& item : program) {
      if (!item.segment || item.repeat > 1 || segments_[*item.segment].waits_for_loads)
        wait(in_flight, sum);
      if (!item.segment) {
        add(load_of(item.body), static_cast<double>(item.repeat), sum);
      } else if (item.repeat > 1) {  // each turn is waited for
        add(load_of({one_turn(item)}), static_cast<double>(item.repeat), sum);
      } else {
        begin(segments_[*item.segment], in_flight, sum);
      }
    }
    wait(in_flight, sum);
    return sum;
  }

 private:
  static ProgramItem one_turn(ProgramItem item) {
    item.repeat = 1;
    return item;
  }
  static void begin(const SegmentLoad& segment, SegmentLoad& in_flight, WarpLoad& sum) {
    add(segment.itself, 1, sum);
    in_flight.latency = std::max(in_flight.latency - segment.itself.cycles, segment.latency);
    in_flight.l2_waits = std::max(in_flight.l2_waits, segment.l2_waits);
    in_flight.dram_waits = std::max(in_flight.dram_waits, segment.dram_waits);
  }
  static void wait(SegmentLoad& in_flight, WarpLoad& sum) {
    sum.cycles += in_flight.latency;
    sum.l2_waits += in_flight.l2_waits;
    sum.dram_waits += in_flight.dram_waits;
    in_flight = {};
  }

  const std::vector<SegmentLoad>& segments_;
};

}  // namespace

WarpLoad warp_load(const Launch& launch, const CostModel& model) {
  std::vector<SegmentLoad> segments;
  for (std::size_t s = 0; s < launch.segments.size(); ++s) segments.push_back(load_of(s, model));
  const Way way(segments);
  WarpLoad sum;
  double warps = 0;
  for (const WarpKind& kind : launch.warp_kinds) {
    add(way.load_of(kind.program), static_cast<double>(kind.warps), sum);
    warps += static_cast<double>(kind.warps);
  }
  WarpLoad mean;
  if (warps > 0) add(sum, 1 / warps, mean);
  return mean;
}

double use_of(double warps, double busy, double cycles, double waits, const Queue& queue) {
  if (warps * busy <= 0 || cycles <= 0) return 0;
  const auto asked = [&](double use) { return warps * busy / (cycles + waits * queue(use)); };
  constexpr int kHalvings = 30;  // to 1e-9
  double low = 0, high = 1;
  if (asked(high) >= high) return high;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (asked(middle) > middle ? low : high) = middle;
  }
  return low;
}

namespace {

struct Queues {
  double l2 = 0, dram = 0;  // cycles
};

// While so many blocks live on each SM.
Queues queues_of(const Launch& launch, const WarpLoad& load, double blocks,
                 const CostModel& model) {
  const double warps = blocks * static_cast<double>(launch.warps_per_block());
  const auto random = [&](double waits) { return 1 - 1 / std::max(waits * blocks, 1.0); };
  const double l2 = random(load.l2_waits), dram = random(load.dram_waits);
  const auto l2_queue = [&](double use) { return l2 * model.l2_queue_cycles(use); };
  const auto dram_queue = [&](double use) { return dram * model.dram_queue_cycles(use); };
  return {l2_queue(use_of(warps, load.l2_cycles, load.cycles, load.l2_waits, l2_queue)),
          dram_queue(use_of(warps, load.dram_cycles, load.cycles, load.dram_waits, dram_queue))};
}

}  // namespace

void set_use(const Launch& launch, std::int64_t sms, std::int64_t slots, bool blocks_follow,
             CostModel& model) {
  WarpLoad load = warp_load(launch, model);
  if (blocks_follow) load.cycles += static_cast<double>(model.turnover_cycles());
  const std::int64_t rounds = launch.grid / (slots * sms), left = launch.grid % (slots * sms);
  const Queues full = queues_of(launch, load, static_cast<double>(slots), model);
  if (left == 0) return model.set_queues(full.l2, full.dram);
  const double last_blocks =
      std::min(static_cast<double>(left) / model.busy_sms(), static_cast<double>(slots));
  const Queues last = queues_of(launch, load, last_blocks, model);
  const double share = 1 / static_cast<double>(rounds + 1);
  model.set_queues(full.l2 + share * (last.l2 - full.l2),
                   full.dram + share * (last.dram - full.dram));
}

std::int64_t accesses_ahead(const Launch& launch, const CostModel& model, double rounds) {
  constexpr double kLeast = 2, kMost = 0x1p20, kOften = 2;
  const WarpLoad load = warp_load(launch, model);
  if (rounds < kOften || load.memory_cycles <= 0) return static_cast<std::int64_t>(kLeast);
  const double of_block = static_cast<double>(launch.warps_per_block()) * load.accesses;
  const double in_flight = load.latency_cycles / load.memory_cycles;
  return std::llround(std::clamp(std::min(of_block, in_flight), kLeast, kMost));
}

double overlap_of(const Launch& launch, const CostModel& model, bool blocks_follow) {
  const WarpLoad load = warp_load(launch, model);
  if (!blocks_follow || load.memory_cycles <= 0) return 1;
  return std::min(std::max(load.l2_cycles, load.dram_cycles) / load.memory_cycles, 1.0);
}

}  // namespace pnsim
