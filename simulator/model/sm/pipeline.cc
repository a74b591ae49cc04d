#include "simulator/model/sm/pipeline.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "simulator/base/error.h"
#include "simulator/model/cost/counted_waits.h"
#include "simulator/model/cost/issue_pipes.h"
#include "simulator/model/cost/l1_port.h"
#include "simulator/model/cost/launch_cost.h"
#include "simulator/model/cost/segment_costs.h"
#include "simulator/model/launch/imbalance.h"
#include "simulator/model/memory/texture_fetches.h"
#include "simulator/model/sm/block_slots.h"
#include "simulator/model/sm/bulk_stages.h"
#include "simulator/model/sm/copy_groups.h"
#include "simulator/model/sm/first_copies.h"
#include "simulator/model/sm/sm_parameters.h"

namespace pnsim {
namespace {

constexpr std::int64_t kMaxSlots = 64;  // resident blocks, more than on any device

void check_has_programs(const Launch& launch) {
  if (!launch.segments.empty()) return;
  fail_input("kernel " + launch.kernel,
             "found counts alone, expected the programs of its warps: make the model with "
             "pnsim derive --ncu RAW.csv --source SOURCE.csv");
}

void check_fits_an_sm(const Launch& launch, const Residency& residency) {
  const std::int64_t slots = residency.slots;
  if (slots <= kMaxSlots && slots * launch.warps_per_block() <= kMaxSlots * 32) return;
  fail_input("kernel " + launch.kernel, "found " + std::to_string(slots) + " resident blocks of " +
                                            std::to_string(launch.warps_per_block()) +
                                            " warps, more than an SM holds");
}

Launch prepared(const Launch& profiled, const Heuristics& heuristics,
                std::vector<std::size_t>& origins) {
  Launch launch =
      heuristics.on(Heuristic::kTextureSectors) ? with_texture_sectors(profiled) : profiled;
  if (heuristics.on(Heuristic::kBulkStages) && has_bulk_stages(launch)) {
    mark_bulk_copies(launch);
    return launch;
  }
  return heuristics.on(Heuristic::kFirstCopiesAwaited)
             ? with_first_copies_awaited(std::move(launch), origins)
             : launch;
}

// The programs of the busiest SM's warps, longer if its scheduler executed more than the mean.
BusiestSmPrograms longer_programs(const Launch& launch, std::int64_t sms,
                                  const Heuristics& heuristics) {
  if (heuristics.on(Heuristic::kLongerLoops)) return busiest_sm_programs(launch, sms, heuristics);
  BusiestSmPrograms out;
  for (const WarpKind& kind : launch.warp_kinds) out.programs.push_back(kind.program);
  out.shared_unit_scale.assign(launch.segments.size(), 1);
  return out;
}

// The busiest SM uses L2 and DRAM more than the mean, and other SMs use them less; the total stays.
// All warps share the segments, so each segment is scaled once.
ProgramCosts program_costs(const SmStages& stages, const BusiestSmPrograms& busiest,
                           const CountFactors& changed) {
  const double overlap = level_overlap(
      stages.load, stages.residency.several_waves,
      stages.rates.overlapping(stages.traffic.dram.repeated_misses), stages.heuristics);
  ProgramCosts out;
  out.branch_cycles = branch_cycles(stages.facts);
  out.joins_segments = stages.heuristics.on(Heuristic::kJoinedSegments);
  out.of_counts = [&stages, changed](const InstructionCounts& counts) {
    return counts_cost(scaled_counts(changed, counts), stages.inputs(), stages.rates,
                       stages.latencies);
  };
  out.segments = stages.costs;
  if (busiest.is_longer) {
    for (SegmentCost& cost : one_lane_costs(stages.inputs(), stages.rates, stages.latencies))
      out.segments.push_back(cost);
  }
  for (std::size_t s = 0; s < out.segments.size(); ++s) {
    const double shared_unit_scale = busiest.shared_unit_scale[s % stages.costs.size()];
    out.segments[s].memory *= overlap;
    out.segments[s].memory *= shared_unit_scale;
    out.segments[s].atomic *= shared_unit_scale;
  }
  return out;
}

// Counts as changed. Patterns and hit rates are kept for the accesses that are left.
void apply(const CountFactors& counts, SmStages& s) {
  if (counts == CountFactors{}) return;
  for (std::size_t i = 0; i < s.launch.segments.size(); ++i) {
    Segment& segment = s.launch.segments[i];
    for (std::size_t a = segment.accesses.size(); a-- > 0;) {
      const double factor = counts.of(class_of(segment.accesses[a]).paper);
      s.patterns[i][a].count *= factor;
      if (factor > 0) continue;
      const auto at = static_cast<std::ptrdiff_t>(a);
      s.patterns[i].erase(s.patterns[i].begin() + at);
      s.traffic.loads[i].erase(s.traffic.loads[i].begin() + at);
    }
    scale_counts(counts, segment);
  }
}

// `origins` [segment of the net] is the segment of the launch as profiled.
RowSegments row_segments(const SlotWarps& warps, const CostedPrograms& programs,
                         const std::vector<std::size_t>& origins) {
  RowSegments out;
  out.numbers.assign(warps.of_warp.size() * warps.segments, kNoNumber);
  for (std::size_t w = 0; w < warps.of_warp.size(); ++w) {
    const std::vector<std::uint32_t>& numbers = warps.rows_of(w).numbers();
    std::copy(numbers.begin(), numbers.end(),
              out.numbers.begin() + static_cast<std::ptrdiff_t>(w * warps.segments));
  }
  out.parts = programs.parts();
  // Behind the numbers of all segments come those of the same segments with one lane.
  for (std::vector<SegmentPart>& parts : out.parts) {
    for (SegmentPart& part : parts) part.segment = origins[part.segment % origins.size()];
  }
  return out;
}

// "kernel scan (132 blocks of 256 threads): segment 3" of the model.
SegmentName segment_names(const Launch& launch, const SlotWarps& warps, const RowParts& parts,
                          const std::vector<std::size_t>& origins) {
  return [&launch, &warps, &parts, &origins](std::size_t warp, std::size_t row) {
    const std::uint32_t number = warps.rows_of(warp).numbers()[row];
    std::string segment = "a segment";
    if (number != kNoNumber && !parts[number].empty()) {
      segment = "segment " + std::to_string(origins[parts[number][0].segment % origins.size()]) +
                (parts[number].size() > 1 ? " with the short ones joined to it" : "");
    }
    return "kernel " + launch.kernel + " (" + std::to_string(launch.grid) + " blocks of " +
           std::to_string(launch.block) + " threads): " + segment;
  };
}

}  // namespace

SmStages sm_stages(const Launch& profiled, const DeviceProfile& device,
                   const Heuristics& heuristics, const CountFactors& counts) {
  check_has_programs(profiled);
  const DeviceFacts facts = read_device_facts(device);
  std::vector<std::size_t> origins;
  Launch launch = prepared(profiled, heuristics, origins);
  const Residency residency = residency_of(launch, facts, heuristics);
  check_fits_an_sm(launch, residency);
  SmStages stages = sm_stages(std::move(launch), facts, residency, heuristics, counts);
  if (!origins.empty()) stages.origins = std::move(origins);
  return stages;
}

SmStages sm_stages(Launch launch, const DeviceFacts& facts, const Residency& residency,
                   const Heuristics& heuristics, const CountFactors& counts) {
  SmStages s{.heuristics = heuristics,
             .facts = facts,
             .launch = std::move(launch),
             .origins = {},
             .residency = residency,
             .patterns = {},
             .traffic = {},
             .contexts = {},
             .tag_banks = TagBanks(tag_bank_count(facts)),
             .counted_waits = {},
             .rates = {},
             .waits = {},
             .latencies = {},
             .costs = {},
             .load = {}};
  s.origins.resize(s.launch.segments.size());
  std::iota(s.origins.begin(), s.origins.end(), std::size_t{0});
  // Properties of the launch: patterns, traffic, contexts, and the rates at this traffic.
  s.patterns = access_patterns(s.launch);
  s.traffic = traffic_of(s.launch, s.patterns, s.facts, heuristics);
  s.contexts = segment_contexts(s.launch, s.patterns, s.traffic.loads, residency.several_waves,
                                facts.sms, heuristics);
  s.counted_waits = counted_waits(s.launch, s.contexts, s.facts, heuristics);
  s.rates = memory_rates(s.inputs());
  apply(counts, s);

  // The utilisation of L2 and DRAM, and the queueing of loads that follows from it.
  const LoadLatencies unloaded =
      unloaded_latencies(s.launch, residency.several_waves, facts, heuristics);
  const std::vector<SegmentCost> unloaded_costs =
      segment_costs(s.inputs(), s.rates, with_queueing(unloaded, {}));
  for (std::size_t i = 0; i < unloaded_costs.size(); ++i)
    s.waits.push_back(load_waits(s.inputs(), i));
  const WarpLoad unloaded_load = warp_load(s.launch, unloaded_costs, s.waits);
  s.latencies = with_queueing(
      unloaded, queueing(s.launch, unloaded_load, residency, s.traffic, facts, heuristics));

  // The costs with queueing.
  s.costs = segment_costs(s.inputs(), s.rates, s.latencies);
  s.load = warp_load(s.launch, s.costs, s.waits);
  return s;
}

ParameterValues sm_parameters(const Launch& profiled, const DeviceProfile& device,
                              FirstBlocks first, const Heuristics& heuristics,
                              const CountFactors& counts, RowSegments* rows) {
  const SmStages stages = sm_stages(profiled, device, heuristics, counts);
  const Launch& launch = stages.launch;
  const Residency& residency = stages.residency;

  const auto sms = static_cast<std::int64_t>(stages.facts.sms);
  BusiestSmPrograms busiest = longer_programs(launch, sms, heuristics);
  ProgramCosts costs = program_costs(stages, busiest, counts);
  if (heuristics.on(Heuristic::kCopyGroups)) wait_for_copy_groups(launch, busiest.programs, costs);
  const std::vector<Phase> phases = phases_of_sm(launch, sms, residency.blocks, heuristics);
  const std::int64_t ring = heuristics.on(Heuristic::kBulkStages)
                                ? add_bulk_stages(launch, phases, busiest.programs, costs)
                                : 0;
  if (ring == 0 && std::any_of(launch.segments.begin(), launch.segments.end(),
                               [](const Segment& segment) { return segment.fills_stages; })) {
    return sm_parameters(profiled, device, first, heuristics.without(Heuristic::kBulkStages),
                         counts,
                         rows);  // the programs of this SM's blocks do not fit
  }
  CostedPrograms programs(launch.kernel, busiest.programs, std::move(costs));
  const auto admits =
      admitted(phases, residency.slots,
               heuristics.on(Heuristic::kFirstBlocksInOrder) ? first : FirstBlocks::kInAnySlot);
  const SlotWarps warps = warps_of_slots(programs, phases, admits);

  if (rows) *rows = row_segments(warps, programs, stages.origins);

  ParameterValues values =
      net_values(warps, branch_cycles(stages.facts),
                 segment_names(launch, warps, programs.parts(), stages.origins));
  values["B"] = {sum_of_blocks(phases)};
  values["R"] = {residency.slots};
  values["ring"] = {ring};
  values["Wb"] = {launch.warps_per_block()};
  values["P"] = {static_cast<std::int64_t>(phases.size())};
  values["ahead"] = {accesses_ahead(launch, stages.load, residency.rounds, heuristics)};
  values["dispatch"] = {dispatch_cycles(residency, stages.facts)};
  values["turnover"] = {turnover_cycles(launch, stages.facts, heuristics)};
  values["barrier"] = {barrier_cycles(stages.facts)};
  values["launch"] = {rounded_cycles(
      launch_cycles(launch, stages.facts, cold_start_facts(launch, device), heuristics))};
  values["blocks"] = {0};
  for (const Phase& phase : phases) values["blocks"].push_back(phase.blocks);
  if (first == FirstBlocks::kInTheirOrder) {
    for (const auto& of_slot : admits)
      values[kAdmits].insert(values[kAdmits].end(), of_slot.begin(), of_slot.end());
  }
  return values;
}

}  // namespace pnsim
