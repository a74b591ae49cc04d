#include "simulator/model/memory/gathered_tables.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "simulator/model/launch/memory_units.h"
#include "simulator/model/memory/occupancy.h"

namespace pnsim {

double gathered_bytes(double requested, double hits, double l1_bytes) {
  // Fewer hits may come from other data, so they do not determine the size of the table.
  constexpr double kFewHits = 0.02;
  constexpr double kMostAccesses = 1e6;  // of a sector
  if (requested <= 0 || hits < kFewHits) return 0;
  const double accesses = accesses_per_sector(std::max(1 - hits, 1 / kMostAccesses));
  return std::min(requested / accesses * kSectorBytes, l1_bytes / hits);
}

double random_l2_rate(const DeviceFacts& facts, double table_bytes) {
  const double large = facts.random_l2_sector_rate;
  if (table_bytes <= 0) return large;
  constexpr double kSmallestKib = 16;
  const std::array<double, 4> rates = {facts.random_l2_16_kib_sector_rate,
                                       facts.random_l2_64_kib_sector_rate,
                                       facts.random_l2_256_kib_sector_rate, large};
  const double fourfold = std::clamp(std::log2(table_bytes / 1024 / kSmallestKib) / 2, 0.0, 3.0);
  const auto below = std::min(static_cast<std::size_t>(fourfold), rates.size() - 2);
  return std::lerp(rates[below], rates[below + 1], fourfold - static_cast<double>(below));
}

}  // namespace pnsim
