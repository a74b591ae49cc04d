#include "simulator/model/memory/footprint.h"

#include <algorithm>
#include <cmath>

#include "simulator/model/launch/executions.h"
#include "simulator/model/memory/traffic.h"

namespace pnsim {
namespace {

constexpr double kSectorBytes = 32, kLineBytes = 128, kSectorsOfLine = 4;

// Sectors of loads of single sectors at addresses made of what was loaded, and of all.
struct Asked {
  double gathered = 0, all = 0;
};

Asked asked_by(const Launch& launch) {
  Asked asked;
  const std::vector<double> executions = executions_of(launch);
  for (std::size_t s = 0; s < launch.segments.size(); ++s) {
    for (const SegmentAccess& access : launch.segments[s].accesses) {
      if (!is_global_load(*find_opcode_class(access.access_class))) continue;
      const double sectors = executions[s] * access.sectors;
      asked.all += sectors;
      if (access.addresses == Addresses::kLoaded && asks_for_single_sectors(access))
        asked.gathered += sectors;
    }
  }
  return asked;
}

// Bytes of lines that gathers hold besides the sectors that were read. Others' sectors are taken to
// be read once each.
double idle_of_gathers(const Launch& launch, double requests, double read) {
  const Asked asked = asked_by(launch);
  const double missed = asked.all > 0 ? std::min(requests / asked.all, 1.0) : 0;  // L1
  const double gathers = asked.gathered * missed;
  const double of_gathers = std::max(read - std::max(requests - gathers, 0.0), 0.0);
  return std::max(lines_of_gathers(gathers, of_gathers) * kLineBytes - of_gathers * kSectorBytes,
                  0.0);
}

}  // namespace

double lines_of_gathers(double requests, double distinct) {
  if (requests <= 0 || distinct <= 0) return 0;
  const double share = distinct / requests;
  if (share >= 1) return requests;
  // The table has requests / x sectors: of them (1 - e^-x) were met.
  double low = 0, high = 1 / share;
  for (int step = 0; step < 60; ++step) {
    const double x = (low + high) / 2;
    (-std::expm1(-x) / x > share ? low : high) = x;
  }
  return requests / (kSectorsOfLine * high) * -std::expm1(-kSectorsOfLine * high);
}

Footprint footprint_of(const Launch& launch) {
  const double requests = counter_of(launch, "l2_read_sectors");
  const double read = counter_of(launch, "dram_read_bytes");
  Footprint out;
  out.written =
      std::min(stored_bytes(launch), counter_of(launch, "l1_store_sectors") * kSectorBytes);
  // Where more is fetched than is asked for, it lies idle, and as much of each line again.
  const double idle = requests > 0 ? std::clamp(read / (requests * kSectorBytes), 1.0, 2.0) : 1;
  out.read = std::max(read * idle, read + idle_of_gathers(launch, requests, read / kSectorBytes));
  return out;
}

}  // namespace pnsim
