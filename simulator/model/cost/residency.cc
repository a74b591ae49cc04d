#include "simulator/model/cost/residency.h"

#include <algorithm>
#include <cmath>

#include "simulator/model/launch/imbalance.h"
#include "simulator/model/launch/sm_phases.h"

namespace pnsim {

Residency residency_of(const Launch& launch, const DeviceFacts& facts,
                       const Heuristics& heuristics) {
  const auto sms = static_cast<std::int64_t>(facts.sms);
  const auto grid = static_cast<double>(working_blocks(launch, sms, heuristics));
  Residency out;
  out.blocks = busiest_blocks(launch, sms, heuristics);
  // Blocks that end at once occupy a slot, too.
  const std::int64_t all = sum_of_blocks(phases_of_sm(launch, sms, out.blocks, heuristics));
  out.slots = std::min(std::max(all, out.blocks), launch.resident_blocks);
  out.several_waves = out.blocks > out.slots;
  out.rounds = grid / static_cast<double>(sms * out.slots);
  out.busy_sms = heuristics.on(Heuristic::kMeanBusySms)
                     ? mean_busy_sms(launch, sms, out.blocks, heuristics)
                     : std::min(grid, facts.sms);
  out.sms_with_blocks = grid / std::ceil(grid / facts.sms);
  out.warps_per_block = static_cast<double>(launch.warps_per_block());
  return out;
}

}  // namespace pnsim
