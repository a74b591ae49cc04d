#include "simulator/analysis/baselines/launch_levels.h"

#include <algorithm>
#include <cmath>

#include "simulator/analysis/baselines/roofline.h"
#include "simulator/model/launch/executions.h"
#include "simulator/model/memory/texture_fetches.h"
#include "simulator/model/memory/traffic.h"

namespace pnsim {
namespace {

// Of the segments that load something, the mean.
double loads_of_segment(const Launch& launch) {
  double loads = 0, segments = 0;
  for (const Segment& segment : launch.segments) {
    double mine = 0;
    for (const SegmentAccess& access : segment.accesses) {
      const OpcodeClass& cls = class_of(access);
      const bool is_load =
          cls.paper == InstructionClass::kGlobal && cls.result != LateResult::kNone;
      if (is_load) mine += static_cast<double>(access.count);
    }
    loads += mine;
    segments += mine > 0 ? 1 : 0;
  }
  return segments > 0 ? loads / segments : 1;
}

double instructions_of(const Launch& launch) {
  double sum = 0;
  for_each_item(launch, [&](const ProgramPlace& place) {
    if (place.is_loop()) return;
    const InstructionCounts counts =
        place.item.segment ? launch.segments[*place.item.segment].counts() : place.item.counts;
    sum += static_cast<double>(place.executions) *
           static_cast<double>(counts.arithmetic + counts.shared + counts.global);
  });
  return sum;
}

}  // namespace

Shares latency_shares(const Launch& launch, const DeviceProfile& device) {
  if (launch.counters.empty()) return {{"loads", 1.0}};
  const Traffic traffic = traffic_of(launch, device);
  const TextureFetches fetches = texture_fetches(launch);
  const bool only_fetches = fetches.count > 0 && counter_of(launch, "l1_load_sectors") == 0;
  const double hits = only_fetches ? fetches.l1_hits : traffic.l1_hits;
  const double misses = traffic.l2_misses * traffic.still_missed;
  const double loads = loads_of_segment(launch) * static_cast<double>(launch.warps_per_block());
  const double l1 = device.positive(only_fetches ? "texture_latency_cycles" : "l1_latency_cycles");
  const double l2 = device.positive("l2_latency_cycles");
  const double from_l2 = (1 - std::pow(hits, loads)) * (l2 - l1);
  const double from_dram = (1 - std::pow(1 - misses * (1 - hits), loads)) *
                           (device.positive("dram_latency_cycles") - l2);
  const double all = l1 + from_l2 + from_dram;
  return {
      {"L1 latency", l1 / all}, {"L2 latency", from_l2 / all}, {"DRAM latency", from_dram / all}};
}

std::string bandwidth_level(const Launch& launch, const DeviceProfile& device) {
  if (launch.counters.empty()) return "bandwidth";
  double l2 = 0, dram = 0;
  for (const Ceiling& ceiling : roofline_ceilings(launch, device)) {
    if (ceiling.unit.starts_with("l2")) l2 = std::max(l2, ceiling.us);
    if (ceiling.unit == "dram") dram = ceiling.us;
  }
  return dram > l2 ? "DRAM bandwidth" : "L2 bandwidth";
}

double instructions_of_sm(const Launch& launch, const DeviceProfile& device) {
  const auto grid = static_cast<double>(launch.grid);
  return instructions_of(launch) / grid * std::ceil(grid / device.positive("sms"));
}

}  // namespace pnsim
