#include "simulator/model/cost/launch_cost.h"

#include <algorithm>
#include <cmath>

#include "simulator/model/cost/load_latency.h"
#include "simulator/model/cost/segment_cost.h"
#include "simulator/model/launch/counters.h"
#include "simulator/model/launch/executions.h"
#include "simulator/model/memory/launch_sums.h"

namespace pnsim {
namespace {

// The cost of cold constant caches. Each wait costs the extra time of an empty kernel with cold
// constants; each line of the module's own constants adds to it.
double constant_cycles(const Launch& launch, const DeviceFacts& facts) {
  const double waits = counter_of(launch, kConstantWaits);
  if (waits <= 0) return 0;
  const double cold = facts.constants->kernel_nothing_constants_ns - facts.kernel_nothing_ns;
  const double ns = waits * std::max(cold, 0.0) +
                    counter_of(launch, kConstantLines) * facts.constants->constant_line_ns;
  return ns * facts.cycles_per_ns();
}

// The cost of code that other kernels have driven out of the instruction caches. Warps of all SMs
// execute it at about the same time, so each waits for most of it, wherever it is in the code.
double code_cycles(const Launch& launch, const DeviceFacts& facts) {
  if (launch.start != CacheStart::kInPlace || !facts.code_fetch) return 0;
  const CodeFetchFacts& code = *facts.code_fetch;
  return counter_of(launch, kCodeLines) * code.code_line_cycles +
         counter_of(launch, kCodeJumps) * code.code_jump_cycles +
         counter_of(launch, kFarCodeLines) * code.far_code_line_cycles +
         counter_of(launch, kFarCodeJumps) * code.far_code_jump_cycles;
}

// What kernels take that access nothing, their parameters, one load, one store, or both.
struct StartTimes {
  double nothing_ns, index_ns, load_ns, store_ns, copy_ns;
  double longest_load_cycles;  // the L2 latency of the SM that ends last
};

// Measured for one block and for a block on each SM; in between the time grows with the blocks.
StartTimes start_times(const Launch& launch, const DeviceFacts& facts,
                       const Heuristics& heuristics) {
  const double farther = slowest_sm_cycles(facts);
  const StartTimes all{facts.kernel_nothing_ns,  facts.kernel_index_ns, facts.kernel_load_ns,
                       facts.kernel_store_ns,    facts.kernel_copy_ns,
                       facts.l2_latency_cycles + farther};
  const auto blocks = static_cast<double>(launch.grid);
  if (!facts.one_block_start || blocks >= facts.sms ||
      !heuristics.on(Heuristic::kStartOfFewBlocks)) {
    return all;
  }
  const OneBlockStartFacts& one = *facts.one_block_start;
  const double share = (blocks - 1) / (facts.sms - 1);
  return {std::lerp(one.kernel_nothing_1_block_ns, all.nothing_ns, share),
          std::lerp(one.kernel_index_1_block_ns, all.index_ns, share),
          std::lerp(one.kernel_load_1_block_ns, all.load_ns, share),
          std::lerp(one.kernel_store_1_block_ns, all.store_ns, share),
          std::lerp(one.kernel_copy_1_block_ns, all.copy_ns, share),
          facts.l2_latency_cycles + farther * (1 - 1 / blocks)};
}

}  // namespace

// Back-to-back kernels in a graph: the time of an empty kernel, and the time of the first access
// and the last store beyond their latencies.
double launch_cycles(const Launch& launch, const DeviceFacts& facts,
                     const std::optional<ColdStartFacts>& cold, const Heuristics& heuristics) {
  const double cycles_per_ns = facts.cycles_per_ns();
  const StartTimes times = start_times(launch, facts, heuristics);
  const auto over_index = [&](double ns) { return (ns - times.index_ns) * cycles_per_ns; };
  double all = times.nothing_ns * cycles_per_ns;
  const bool loads = makes_loads(launch), stores = makes_stores(launch);
  if (loads) {
    all += std::max(
        over_index(stores ? times.copy_ns : times.load_ns) - times.longest_load_cycles, 0.0);
  } else if (stores) {
    all += std::max(over_index(times.store_ns), 0.0);
  }
  constexpr double kMaxCycles = 0x1p40;  // more than any launch; counters may be any number
  all += cold_start_cycles(launch, facts, cold);
  if (heuristics.on(Heuristic::kFetchedCode)) all += code_cycles(launch, facts);
  return std::min(all + constant_cycles(launch, facts), kMaxCycles);
}

double launch_cycles(const Launch& launch, const DeviceProfile& device) {
  return launch_cycles(launch, read_device_facts(device), cold_start_facts(launch, device));
}

std::int64_t dispatch_cycles(const Residency& residency, const DeviceFacts& facts) {
  return std::max<std::int64_t>(
      rounded_cycles(facts.block_dispatch_ns * facts.cycles_per_ns() * residency.sms_with_blocks),
      1);
}

std::int64_t turnover_cycles(const DeviceFacts& facts) {
  return rounded_cycles(facts.block_turnover_ns * facts.cycles_per_ns());
}

std::int64_t barrier_cycles(const DeviceFacts& facts) {
  return rounded_cycles(facts.barrier_1_warp_cycles);
}

}  // namespace pnsim
