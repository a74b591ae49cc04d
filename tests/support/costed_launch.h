// The stages of the model of an SM (model/sm/pipeline.h) for launches that tests make up.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "simulator/model/cost/segment_costs.h"
#include "simulator/model/sm/pipeline.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {

inline const DeviceFacts& h200_facts() {
  static const DeviceFacts facts = read_device_facts(h200());
  return facts;
}

inline Traffic traffic_of(const Launch& launch, const DeviceProfile& device,
                          const Heuristics& heuristics = {}) {
  return traffic_of(launch, access_patterns(launch), read_device_facts(device), heuristics);
}

// The default of tests: no queueing.
inline Heuristics unloaded() { return Heuristics{}.without(Heuristic::kQueueing); }

// Bandwidth is shared by `busy_sms`. The launch need not have programs.
class CostedLaunch {
 public:
  CostedLaunch(const DeviceProfile& device, Launch launch, double busy_sms,
               const Heuristics& heuristics = unloaded())
      : stages_(sm_stages(launch, read_device_facts(device),
                          residency_with(launch, read_device_facts(device), busy_sms),
                          heuristics)) {}

  const SegmentCost& cost(std::size_t segment) const { return stages_.costs[segment]; }
  // The cost of a segment that is not in the launch.
  SegmentCost cost(const Segment& segment) const {
    return lone_segment_cost(segment, stages_.inputs(), stages_.rates, stages_.latencies);
  }
  const LoadWaits& waits(std::size_t segment) const { return stages_.waits[segment]; }
  const SmStages& stages() const { return stages_; }

 private:
  static Residency residency_with(const Launch& launch, const DeviceFacts& facts, double busy_sms) {
    const auto grid = static_cast<double>(launch.grid);
    Residency out;
    out.blocks = static_cast<std::int64_t>(std::ceil(grid / facts.sms));
    out.slots = std::min(out.blocks, launch.resident_blocks);
    out.several_waves = out.blocks > out.slots;
    out.rounds = grid / (facts.sms * static_cast<double>(out.slots));
    out.busy_sms = busy_sms;
    out.sms_with_blocks = grid / std::ceil(grid / facts.sms);
    out.warps_per_block = static_cast<double>(launch.warps_per_block());
    return out;
  }

  SmStages stages_;
};

}  // namespace pnsim
