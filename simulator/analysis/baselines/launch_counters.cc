#include "simulator/analysis/baselines/launch_counters.h"

#include "simulator/base/error.h"
#include "simulator/model/cost/launch_cost.h"

namespace pnsim {

LaunchCounters::LaunchCounters(const Launch& launch) : counters_(launch.counters) {
  if (!counters_.empty()) return;
  fail_input("kernel " + launch.kernel,
             "found no counters of the memory system, expected them: make the model with "
             "pnsim derive --ncu RAW.csv --source SOURCE.csv");
}

double LaunchCounters::at(const std::string& name) const {
  const auto it = counters_.find(name);
  return it == counters_.end() ? 0 : static_cast<double>(it->second);
}

double launch_overhead_us(const Launch& launch, const DeviceProfile& device) {
  return launch_cycles(launch, device) / device.positive("clock_mhz");
}

}  // namespace pnsim
