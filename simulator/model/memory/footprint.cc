#include "simulator/model/memory/footprint.h"

#include <algorithm>
#include <cmath>

#include "simulator/model/launch/executions.h"
#include "simulator/model/launch/memory_units.h"
#include "simulator/model/memory/launch_sums.h"
#include "simulator/model/memory/occupancy.h"

namespace pnsim {
namespace {

// Sectors of all loads, and of indexed loads that access single sectors.
struct LoadedSectors {
  double gathered = 0, all = 0;
};

LoadedSectors loaded_sectors(const Launch& launch, const AccessPatterns& patterns) {
  LoadedSectors out;
  const std::vector<double> executions = executions_of(launch);
  for (std::size_t s = 0; s < launch.segments.size(); ++s) {
    for (std::size_t a = 0; a < launch.segments[s].accesses.size(); ++a) {
      const SegmentAccess& access = launch.segments[s].accesses[a];
      if (!patterns[s][a].is_load) continue;
      const double sectors = executions[s] * access.sectors;
      out.all += sectors;
      if (access.addresses == Addresses::kLoaded && patterns[s][a].single_sectors)
        out.gathered += sectors;
    }
  }
  return out;
}

// Bytes of the lines that gathers keep in L2 besides the sectors that were read. The sectors of
// other loads are taken to be read once each.
double idle_bytes_of_gathers(const LoadedSectors& loaded, double requests, double read) {
  const double l1_misses = loaded.all > 0 ? std::min(requests / loaded.all, 1.0) : 0;
  const double gathers = loaded.gathered * l1_misses;
  const double of_gathers = std::max(read - std::max(requests - gathers, 0.0), 0.0);
  return std::max(lines_of_gathers(gathers, of_gathers) * kLineBytes - of_gathers * kSectorBytes,
                  0.0);
}

}  // namespace

double lines_of_gathers(double requests, double distinct) {
  if (requests <= 0 || distinct <= 0) return 0;
  const double share = distinct / requests;
  if (share >= 1) return requests;
  // A line is touched by four times as many requests as a sector.
  const double per_sector = accesses_per_sector(share);
  return requests / (kSectorsPerLine * per_sector) * -std::expm1(-kSectorsPerLine * per_sector);
}

Footprint footprint_of(const Launch& launch, const AccessPatterns& patterns,
                       const Heuristics& heuristics) {
  const double requests = counter_of(launch, "l2_read_sectors");
  const double read = counter_of(launch, "dram_read_bytes");
  Footprint out;
  out.written =
      std::min(stored_bytes(launch), counter_of(launch, "l1_store_sectors") * kSectorBytes);
  out.read = read;
  if (!heuristics.on(Heuristic::kGatherFootprint)) return out;
  // Where more sectors are fetched than requested, the rest lies idle, and as much of each line
  // again.
  const double idle = requests > 0 ? std::clamp(read / (requests * kSectorBytes), 1.0, 2.0) : 1;
  out.read = std::max(read * idle, read + idle_bytes_of_gathers(loaded_sectors(launch, patterns),
                                                                requests, read / kSectorBytes));
  return out;
}

}  // namespace pnsim
