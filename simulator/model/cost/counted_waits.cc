#include "simulator/model/cost/counted_waits.h"

#include "simulator/model/cost/issue_pipes.h"
#include "simulator/model/launch/counters.h"
#include "simulator/model/launch/executions.h"

namespace pnsim {
namespace {

// Cycles an instruction. `__threadfence()` is five instructions of the class on Hopper, which wait
// for some hundred cycles together.
constexpr double kLongFence = 100;

}  // namespace

CountedWaits counted_waits(const Launch& launch, const std::vector<SegmentContext>& contexts,
                           const DeviceFacts& facts, const Heuristics& heuristics) {
  const double issued = counter_of(launch, kIssuedInstructions);
  if (issued <= 0 || !launch.counters.contains(kFixedWaits) ||
      !heuristics.on(Heuristic::kCountedWaits)) {
    return {};
  }
  const std::vector<double> executions = executions_of(launch);
  double instructions = 0, fences = 0, stalls = 0;
  for (std::size_t s = 0; s < launch.segments.size(); ++s) {
    const double turn = contexts[s].ends_iteration ? branch_cycles(facts) : 0;
    instructions += executions[s] * instructions_of(launch.segments[s]);
    fences += executions[s] * count_of(launch.segments[s], OpcodeClassId::kFence);
    stalls += executions[s] * (stall_cycles(launch.segments[s], facts) + turn);
  }
  if (instructions <= 0) return {};
  double counted = 0;
  for (const char* waits : {kFixedWaits, kBranchWaits, kConstantOperandWaits, kInstructionWaits})
    counted += counter_of(launch, waits);
  const double of_fences = counter_of(launch, kFenceWaits);
  const bool are_long = fences > 0 && of_fences >= kLongFence * fences;
  if (!are_long) counted += of_fences;
  return {.of_instruction = counted / issued - stalls / instructions,
          .of_fence = are_long ? of_fences / fences : 0};
}

}  // namespace pnsim
