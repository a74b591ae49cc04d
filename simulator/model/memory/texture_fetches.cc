#include "simulator/model/memory/texture_fetches.h"

#include <algorithm>

#include "simulator/model/launch/executions.h"

namespace pnsim {
namespace {

constexpr const char* kTexture = "texture";

double missed_sectors(const Launch& launch, double fetches) {
  constexpr double kMost = 32;  // a fetch
  const double counted = counter_of(launch, "texture_sectors");
  const double looked_up = counted > 0 ? counted : kMost * fetches;
  if (counted > 0 && launch.counters.contains("texture_hit_sectors")) {
    return std::max(looked_up - counter_of(launch, "texture_hit_sectors"), 0.0);
  }
  const double of_loads =
      counter_of(launch, "l1_load_sectors") - counter_of(launch, "l1_load_hit_sectors");
  return std::clamp(counter_of(launch, "l2_read_sectors") - of_loads, 0.0, looked_up);
}

}  // namespace

TextureFetches texture_fetches(const Launch& launch) {
  TextureFetches out;
  const std::vector<double> executions = executions_of(launch);
  for (std::size_t s = 0; s < launch.segments.size(); ++s) {
    for (const SegmentAccess& access : launch.segments[s].accesses) {
      if (access.access_class == kTexture) out.count += executions[s] * access.count;
    }
  }
  if (out.count <= 0) return out;
  const double missed = missed_sectors(launch, out.count) / out.count;
  out.looked_up = counter_of(launch, "texture_sectors") / out.count;
  out.sectors = std::max(missed, 1.0);
  out.l1_hits = 1 - missed / out.sectors;
  return out;
}

Launch with_texture_sectors(Launch launch) {
  const TextureFetches fetches = texture_fetches(launch);
  if (fetches.count <= 0) return launch;
  for (Segment& segment : launch.segments) {
    for (SegmentAccess& access : segment.accesses) {
      if (access.access_class == kTexture) access.sectors = access.count * fetches.sectors;
    }
  }
  return launch;
}

}  // namespace pnsim
