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

// What code costs more where it was evicted from L2, too. The start holds whatever else the launch
// reads at its begin, such as its parameters.
double dram_code_cycles(const Launch& launch, const DeviceFacts& facts) {
  if (counter_of(launch, kCodeFromDram) <= 0 || !facts.dram_code) return 0;
  return facts.cycles_per_ns() *
         (facts.dram_code->dram_code_start_ns +
          counter_of(launch, kFarCodeJumps) * facts.dram_code->far_dram_code_jump_ns);
}

// Whether the instruction caches still hold the code from the kernel's last launch.
bool keeps_code(const Launch& launch, const DeviceFacts& facts) {
  const double since = counter_of(launch, kCodeSinceBytes);
  return since > 0 && counter_of(launch, kCodeFromDram) <= 0 && facts.kept_code &&
         since <= facts.kept_code->code_kept_bytes;
}

// The cost of code that other kernels have driven out of the instruction caches. Warps of all SMs
// execute it at about the same time, so each waits for most of it, wherever it is in the code.
double code_cycles(const Launch& launch, const DeviceFacts& facts) {
  if (launch.start != CacheStart::kInPlace || !facts.code_fetch || keeps_code(launch, facts))
    return 0;
  const CodeFetchFacts& code = *facts.code_fetch;
  return counter_of(launch, kCodeLines) * code.code_line_cycles +
         counter_of(launch, kCodeJumps) * code.code_jump_cycles +
         counter_of(launch, kFarCodeLines) * code.far_code_line_cycles +
         counter_of(launch, kFarCodeJumps) * code.far_code_jump_cycles +
         dram_code_cycles(launch, facts);
}

struct Start {
  StartFacts kernels;
  double longest_load_cycles;  // the L2 latency of the SM that ends last
};

// Repeated launches are timed from end to end in a graph. A launch in its program is timed from its
// own start to its end, for one block and for a block on each SM; in between the time grows with
// the blocks.
Start start_of(const Launch& launch, const DeviceFacts& facts, const Heuristics& heuristics) {
  const double farther = slowest_sm_cycles(facts);
  const Start in_graph{{facts.kernel_nothing_ns, facts.kernel_index_ns, facts.kernel_load_ns,
                        facts.kernel_store_ns, facts.kernel_copy_ns},
                       facts.l2_latency_cycles + farther};
  if (launch.start != CacheStart::kInPlace || !facts.timed_start || !facts.timed_one_block_start ||
      !heuristics.on(Heuristic::kTimedStart)) {
    return in_graph;
  }
  const StartFacts &one = *facts.timed_one_block_start, &all = *facts.timed_start;
  const double blocks = std::clamp(static_cast<double>(launch.grid), 1.0, facts.sms);
  const double share = facts.sms > 1 ? (blocks - 1) / (facts.sms - 1) : 1;
  return {
      {std::lerp(one.nothing_ns, all.nothing_ns, share),
       std::lerp(one.index_ns, all.index_ns, share), std::lerp(one.load_ns, all.load_ns, share),
       std::lerp(one.store_ns, all.store_ns, share), std::lerp(one.copy_ns, all.copy_ns, share)},
      facts.l2_latency_cycles + farther * (1 - 1 / blocks)};
}

// Measured for one block at a time on an SM, of 8 warps and of 32; that smaller blocks take what 8
// warps take, and that it grows evenly in between, are estimates.
double recorded_block_ns(const Launch& launch, const DeviceFacts& facts,
                         const Heuristics& heuristics) {
  constexpr double kFewWarps = 8, kManyWarps = 32;
  if (!launch.is_instrumented || !facts.recorded_block ||
      !heuristics.on(Heuristic::kRecordedBlocks))
    return 0;
  const double more =
      (static_cast<double>(launch.warps_per_block()) - kFewWarps) / (kManyWarps - kFewWarps);
  return std::lerp(facts.recorded_block->recorded_block_ns,
                   facts.recorded_block->recorded_block_32_warps_ns, std::clamp(more, 0.0, 1.0));
}

}  // namespace

// The time of an empty kernel, and the time of the first access and the last store beyond their
// latencies.
double launch_cycles(const Launch& launch, const DeviceFacts& facts,
                     const std::optional<ColdStartFacts>& cold, const Heuristics& heuristics) {
  const double cycles_per_ns = facts.cycles_per_ns();
  const Start start = start_of(launch, facts, heuristics);
  const StartFacts& times = start.kernels;
  const auto over_index = [&](double ns) { return (ns - times.index_ns) * cycles_per_ns; };
  double all = times.nothing_ns * cycles_per_ns;
  const bool loads = makes_loads(launch), stores = makes_stores(launch);
  if (loads) {
    all += std::max(over_index(stores ? times.copy_ns : times.load_ns) - start.longest_load_cycles,
                    0.0);
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

std::int64_t turnover_cycles(const Launch& launch, const DeviceFacts& facts,
                             const Heuristics& heuristics) {
  return rounded_cycles((facts.block_turnover_ns + recorded_block_ns(launch, facts, heuristics)) *
                        facts.cycles_per_ns());
}

std::int64_t barrier_cycles(const DeviceFacts& facts) {
  return rounded_cycles(facts.barrier_1_warp_cycles);
}

}  // namespace pnsim
