#include "simulator/model/cost/segment_costs.h"

#include <algorithm>

#include "simulator/model/cost/atomics.h"
#include "simulator/model/cost/dram_cost.h"
#include "simulator/model/cost/issue_pipes.h"
#include "simulator/model/cost/l1_port.h"
#include "simulator/model/cost/l2_cost.h"
#include "simulator/model/cost/tensor_clock.h"
#include "simulator/model/launch/counters.h"
#include "simulator/model/launch/executions.h"
#include "simulator/model/launch/memory_units.h"
#include "simulator/model/memory/launch_sums.h"

namespace pnsim {
namespace {

Waits waits_of(const Segment& segment) {
  bool short_scoreboard = false, loads = false, products = false;
  for (const LateResult result : segment.waits_for) {
    products |= result == LateResult::kTensor;
    short_scoreboard |= is_quick(result);
    loads |= is_load(result);
  }
  if (loads) return products ? Waits::kAll : Waits::kLoads;
  if (short_scoreboard)
    return products ? Waits::kShortScoreboardAndProducts : Waits::kShortScoreboard;
  return products ? Waits::kProducts : Waits::kNothing;
}

// The inputs of a segment's cost besides the segment.
struct Around {
  std::vector<OvertakenViews> overtaken = {};
  double branches = 0;  // taken, those of loops included
  CountedWaits waits = {};
  bool is_opening = false;
  double not_in_l1 = 0;  // SegmentContext::not_in_l1
};

// Cycles for which a store holds L1's port beyond its look-ups: where a line has partially written
// sectors. Measured with one sector a line, as loads with and without a store.
double hold_cycles(const AccessView& view, const MemoryInputs& in) {
  constexpr double kLoads = 2;                // of a round of the microbenchmark
  constexpr std::int64_t kHalfWordBytes = 2;  // and less
  const AccessPattern& pattern = view.pattern;
  const bool is_plain = pattern.is_store && !pattern.is_atomic && !pattern.is_bulk;
  const auto& facts = in.facts.scattered_stores;
  if (!is_plain || !facts || !in.heuristics.on(Heuristic::kStoresHoldPort)) return 0;
  const double together = view.access.bytes <= kHalfWordBytes
                              ? facts->scattered_loads_and_store_2_bytes_cycles
                              : facts->scattered_loads_and_store_4_bytes_cycles;
  const double of_load = facts->scattered_loads_cycles / kLoads;
  const double longer = (together - facts->scattered_loads_cycles) / of_load - 1;
  const double partial = share_of(stored_sectors(view, in).partial, view.access.sectors);
  return partial * view.access.tag_lookups * in.facts.l1_load_cycles * std::max(longer, 0.0);
}

// Adds to `hold` the cycles for which the access holds the port after its look-ups.
void add_access(const AccessView& view, const TagBanks& banks, const MemoryInputs& in,
                SegmentCost& cost, double& hold) {
  if (view.pattern.is_shared) {
    cost.quick_port += shared_access_cycles(view.access, in.traffic, in.facts);
    return;
  }
  cost.port +=
      l1_lookups(view.access, view.pattern, banks, in.traffic, in.facts, in.heuristics).port;
  hold += hold_cycles(view, in);
  if (view.pattern.is_atomic) {
    cost.atomic += atomic_cycles(view, in);
    return;
  }
  const double l2 = view.pattern.is_load ? l2_load_cycles(view, in) : l2_store_cycles(view, in);
  const double dram =
      view.pattern.is_load ? dram_load_cycles(view, in) : dram_store_cycles(view, in);
  cost.l2 += l2;
  cost.dram += dram;
  cost.memory += both_levels(l2, dram, in.rates.overlapping(in.traffic.dram.repeated_misses));
}

// What long bulk copies take longer than short ones, measured while nothing else uses L2.
double passing_cycles(const SegmentView& view, const CostInputs& in) {
  constexpr double kFew = 1024, kMany = 16384;  // bytes
  const BulkCopyFacts& facts = *in.facts.bulk_copies;
  const double each =
      (facts.bulk_load_16384_bytes_latency_cycles - facts.bulk_load_1024_bytes_latency_cycles) /
      (kMany - kFew);
  double bytes = 0;
  for (std::size_t a = 0; a < view.segment.accesses.size(); ++a) {
    if (view.patterns[a].is_bulk && view.patterns[a].is_load)
      bytes += view.segment.accesses[a].sectors * in.traffic.taken_in * kSectorBytes;
  }
  return each * std::max(bytes - kFew, 0.0);
}

// Bytes of bulk copies that an SM takes in per cycle. Its link to L2 keeps the clock at which it
// was measured; the cycles of the launch are longer where tensor cores lower the clock of the SM.
double taken_in_rate(const CostInputs& in) {
  if (!in.facts.multicast || !counts_taken_in(in.launch) ||
      !in.heuristics.on(Heuristic::kMulticastCopies))
    return 0;
  const double rate = in.facts.multicast->multicast_load_bandwidth;
  const ProductCycles products = product_cycles(in.launch, in.facts);
  const double taking =
      counter_of(in.launch, kTakenInBytes) / std::max(in.residency.busy_sms, 1.0) / rate;
  const double mhz = clock_with_products(products, std::max(products.all(), taking), in.facts);
  return rate * in.facts.clock_mhz / mhz;
}

SegmentCost cost_of(const SegmentView& view, const Around& around, const CostInputs& in,
                    const MemoryRates& rates, const LoadLatencies& latencies) {
  const Segment& segment = view.segment;
  const DeviceFacts& facts = in.facts;
  SegmentCost out;
  out.issue = std::max(issue_cycles(segment, around.branches, facts, in.heuristics), 1.0);
  out.slow = slow_unit_cycles(segment, facts);
  out.addresses = address_unit_cycles(segment, in.traffic.constants, facts);
  out.work =
      std::max(out.issue, instructions_of(segment) * (1 + around.waits.of_instruction) +
                              count_of(segment, OpcodeClassId::kFence) * around.waits.of_fence +
                              stall_cycles(segment, facts));
  const TensorCycles tensor = tensor_cycles(segment, facts);
  out.tensor = tensor.in_order + tensor.of_groups;
  out.work = std::max(out.work, tensor.in_order);
  out.product_latency = product_latency(segment, facts);
  const bool come_together = around.is_opening && !in.residency.several_waves;
  const double copy_groups = copy_group_cycles(segment, facts);
  out.quick_port = count_of(segment, "shuffle") / facts.shuffle_rate +
                   laneless_port_cycles(segment, come_together, in.traffic, facts, in.heuristics) +
                   copy_groups;
  const MemoryInputs memory{in.traffic, rates, facts, in.heuristics};
  double hold = 0;
  for (std::size_t a = 0; a < segment.accesses.size(); ++a) {
    add_access({segment.accesses[a], view.patterns[a], view.loads[a]}, in.tag_banks, memory, out,
               hold);
  }
  // The last result arrives after the last look-up has passed the port, which other warps use, too,
  // and after the last address has been served; no result waits for the end of a group of copies.
  // Or, if that is later, when the warp has taken in its own wavefronts.
  out.quick_latency = short_scoreboard_latency(segment, {}, facts);
  if (out.quick_latency > 0) {
    const double passing =
        std::max(out.quick_port - copy_groups - short_scoreboard_accesses(segment), 0.0);
    const double addresses = std::max(out.addresses - first_address_cycles(segment, facts), 0.0);
    const Replays replays = shared_replays(segment, in.traffic, facts);
    out.quick_latency = std::max(out.quick_latency + passing + addresses,
                                 short_scoreboard_latency(segment, replays, facts));
  }
  const LoadTime load = load_latency({view, around.overtaken, around.not_in_l1}, in, latencies);
  out.port += hold;  // stores delay the loads of later segments, not those of their own
  out.latency = load.cycles;
  // Bulk copies bring kilobytes: they have arrived when the last sector has passed. Those of a ring
  // of stages queue for the SM's share of L2 in the net itself.
  if (segment.awaits_bulk_copies) {
    out.latency +=
        segment.fills_stages && in.facts.bulk_copies ? passing_cycles(view, in) : out.memory;
  }
  out.whole_latency = load.whole;
  out.l2_latency = load.l2;
  out.dram_latency = load.dram;
  out.waits = waits_of(segment);
  out.joins = segment.end == SegmentEnd::kBarrier;
  return out;
}

std::vector<SegmentView> views_of(const CostInputs& in, const std::vector<std::size_t>& segments) {
  std::vector<SegmentView> out;
  for (const std::size_t segment : segments) out.push_back(view_of(in, segment));
  return out;
}

double branches_of(const CostInputs& in, std::size_t segment) {
  return in.launch.segments[segment].branches + (in.contexts[segment].ends_iteration ? 1 : 0);
}

// The accesses of the segment when a single lane executes them.
Segment with_one_lane(Segment segment) {
  for (SegmentAccess& access : segment.accesses) {
    const double count = access.count;
    const double lanes = std::max(access.lanes, 1.0);
    for (double* of_all : {&access.sectors, &access.tag_lookups, &access.wavefronts}) {
      *of_all = std::max(*of_all / lanes, std::min(*of_all, count));
    }
    access.lanes = 1;
  }
  return segment;
}

}  // namespace

MemoryRates memory_rates(const CostInputs& in) {
  MemoryRates rates;
  rates.peak = peak_rates(in.facts, in.residency.several_waves);
  rates.busy_sms = in.residency.busy_sms;
  rates.cycles_per_ns = in.facts.cycles_per_ns();
  rates.taken_in = taken_in_rate(in);
  rates.dram_factor = dram_turnaround_factor(rates.peak, in.traffic.dram.mix, in.heuristics);
  const BothDirections l2 = l2_both_directions(in, rates.peak);
  rates.l2_factor = l2.factor;
  rates.l2_fills = l2.fills;
  return rates;
}

std::vector<SegmentCost> segment_costs(const CostInputs& in, const MemoryRates& rates,
                                       const LoadLatencies& latencies) {
  std::vector<SegmentCost> out;
  for (std::size_t s = 0; s < in.launch.segments.size(); ++s) {
    const SegmentContext& context = in.contexts[s];
    Around around{.branches = branches_of(in, s),
                  .waits = in.counted_waits,
                  .is_opening = context.is_opening,
                  .not_in_l1 = context.not_in_l1};
    for (const OvertakenLoads& one : context.loads_before.overtaken) {
      around.overtaken.push_back(
          {views_of(in, one.segments), views_of(in, one.awaited), one.share});
    }
    out.push_back(cost_of(view_of(in, s), around, in, rates, latencies));
  }
  return out;
}

std::vector<SegmentCost> one_lane_costs(const CostInputs& in, const MemoryRates& rates,
                                        const LoadLatencies& latencies) {
  std::vector<SegmentCost> out;
  for (std::size_t s = 0; s < in.launch.segments.size(); ++s) {
    const Segment segment = with_one_lane(in.launch.segments[s]);
    const std::vector<AccessPattern> patterns = access_patterns(segment);
    const Around around{.branches = branches_of(in, s),
                        .waits = in.counted_waits,
                        .is_opening = in.contexts[s].is_opening};
    out.push_back(
        cost_of({segment, patterns, in.traffic.loads[s], false, 1, in.contexts[s].executing_warps},
                around, in, rates, latencies));
  }
  return out;
}

SegmentCost lone_segment_cost(const Segment& segment, const CostInputs& in,
                              const MemoryRates& rates, const LoadLatencies& latencies) {
  const std::vector<AccessPattern> patterns = access_patterns(segment);
  const std::vector<LoadTraffic> loads(
      patterns.size(),
      LoadTraffic{.l1_hits = in.traffic.l1.load_hits, .l2_misses = in.traffic.l2.misses});
  const Around around{.branches = segment.branches};
  return cost_of({segment, patterns, loads, false, 1, in.residency.warps_per_block}, around, in,
                 rates, latencies);
}

SegmentCost counts_cost(const InstructionCounts& counts, const CostInputs& in,
                        const MemoryRates& rates, const LoadLatencies& latencies) {
  Segment segment;
  segment.waits_for = {LateResult::kGlobal};
  const auto arithmetic = static_cast<double>(counts.arithmetic),
             shared = static_cast<double>(counts.shared),
             global = static_cast<double>(counts.global);
  segment.classes = {{"int", arithmetic}, {"shared_load", shared}, {"global_load", global}};
  if (counts.shared > 0) {
    segment.accesses.push_back(
        {.access_class = "shared_load", .count = shared, .bytes = 4, .wavefronts = shared});
  }
  if (counts.global > 0) {
    segment.accesses.push_back({.access_class = "global_load",
                                .count = global,
                                .bytes = 4,
                                .sectors = kSectorsPerLine * global,
                                .tag_lookups = global});
  }
  return lone_segment_cost(segment, in, rates, latencies);
}

}  // namespace pnsim
