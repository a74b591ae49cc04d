#include "simulator/model/launch/scaled_counters.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "simulator/model/launch/counters.h"
#include "simulator/model/launch/executions.h"
#include "simulator/model/launch/imbalance.h"

namespace pnsim {
namespace {

constexpr const char *kLoadSectors = "l1_load_sectors", *kLoadHits = "l1_load_hit_sectors";

void scale(double from, double to, std::initializer_list<const char*> names, Launch& launch) {
  if (from <= 0) return;
  for (const char* name : names) {
    const auto counter = launch.counters.find(name);
    if (counter == launch.counters.end()) continue;
    counter->second = std::llround(static_cast<double>(counter->second) * to / from);
  }
}

}  // namespace

Executed executed_by(const Launch& launch) {
  Executed out;
  const std::vector<double> times = executions_of(launch);
  for (std::size_t s = 0; s < launch.segments.size(); ++s) {
    out.instructions += times[s] * instructions_of(launch.segments[s]);
    out.constants += times[s] * count_of(launch.segments[s], OpcodeClassId::kConstantLoad);
    for (const SegmentAccess& access : launch.segments[s].accesses) {
      const bool is_shared = is_shared_access(access);
      if (access.access_class == "global_load") out.load_sectors += times[s] * access.sectors;
      if (access.access_class == "texture")
        out.textures += times[s] * static_cast<double>(access.count);
      if (is_shared) out.shared += times[s] * access.wavefronts;
      out.wavefronts += times[s] * (is_shared ? access.wavefronts : access.tag_lookups);
    }
  }
  return out;
}

void scale_counters(const Executed& before, const Executed& now, double misses, Launch& launch) {
  scale(before.instructions, now.instructions,
        {kAllSchedulers, kBusiestScheduler, kIssuedInstructions, kFixedWaits, kBranchWaits,
         kConstantOperandWaits, kFenceWaits, kInstructionWaits},
        launch);
  const double missed = misses * (counter_of(launch, kLoadSectors) - counter_of(launch, kLoadHits));
  scale(before.load_sectors, now.load_sectors, {kLoadSectors, "l1_load_requests"}, launch);
  if (launch.counters.contains(kLoadHits)) {
    launch.counters[kLoadHits] =
        std::llround(std::max(counter_of(launch, kLoadSectors) - missed, 0.0));
  }
  scale(before.textures, now.textures, {"texture_sectors", "texture_hit_sectors"}, launch);
  if (before.load_sectors + before.textures > 0) scale(1, misses, {"l2_read_sectors"}, launch);
  scale(before.shared, now.shared, {"shared_wavefronts"}, launch);
  scale(before.wavefronts, now.wavefronts, {"l1_wavefronts"}, launch);
  scale(before.constants, now.constants, {kConstantRequests, kConstantMisses}, launch);
}

}  // namespace pnsim
