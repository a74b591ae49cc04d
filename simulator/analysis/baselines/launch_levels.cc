#include "simulator/analysis/baselines/launch_levels.h"

#include "simulator/model/launch/executions.h"

namespace pnsim {
namespace {

double instructions_of(const InstructionCounts& counts) {
  return static_cast<double>(counts.arithmetic + counts.shared + counts.global);
}

double instructions_of_launch(const Launch& launch) {
  double sum = 0;
  for_each_item(launch, [&](const ProgramPlace& place) {
    if (place.is_loop()) return;
    sum += static_cast<double>(place.executions) *
           (place.item.segment ? pnsim::instructions_of(launch.segments[*place.item.segment])
                               : instructions_of(place.item.counts));
  });
  return sum;
}

Shares latency_shares(const SmStages& stages) {
  if (stages.launch.counters.empty()) return {{"loads", 1.0}};
  const std::vector<double> executions = executions_of(stages.launch);
  double all = 0, l2 = 0, dram = 0;
  for (std::size_t s = 0; s < executions.size(); ++s) {
    all += executions[s] * stages.costs[s].latency;
    l2 += executions[s] * stages.costs[s].l2_latency;
    dram += executions[s] * stages.costs[s].dram_latency;
  }
  if (all <= 0) return {{"L1 latency", 1.0}, {"L2 latency", 0.0}, {"DRAM latency", 0.0}};
  return {{"L1 latency", (all - l2 - dram) / all},
          {"L2 latency", l2 / all},
          {"DRAM latency", dram / all}};
}

std::string bandwidth_level(const SmStages& stages) {
  if (stages.launch.counters.empty()) return "bandwidth";
  return stages.load.dram_cycles > stages.load.l2_cycles ? "DRAM bandwidth" : "L2 bandwidth";
}

}  // namespace

LaunchLevels launch_levels(const SmStages& stages) {
  return {latency_shares(stages), bandwidth_level(stages),
          instructions_of_launch(stages.launch) / static_cast<double>(stages.launch.grid) *
              static_cast<double>(stages.residency.blocks)};
}

LaunchLevels launch_levels(const Launch& launch, const DeviceProfile& device,
                           const CountFactors& counts) {
  return launch_levels(sm_stages(launch, device, {}, counts));
}

}  // namespace pnsim
