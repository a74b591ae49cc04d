#include "simulator/model/memory/gathered_tables.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pnsim {
namespace {

// Of `times` random looks at each sector on average, those that find it looked at before: all but
// the first, and exp(-times) of the sectors are never looked at.
double found_again(double times) { return 1 + std::expm1(-times) / times; }

// The inverse, by halving.
double times_looked_at(double hits) {
  double few = 1e-6, many = 1e6;
  for (int i = 0; i < 64; ++i) {
    const double middle = std::sqrt(few * many);
    (found_again(middle) < hits ? few : many) = middle;
  }
  return many;
}

}  // namespace

double gathered_bytes(double asked, double hits, double l1_bytes) {
  constexpr double kSectorBytes = 32, kFewHits = 0.02;
  if (asked <= 0 || hits < kFewHits) return 0;
  return std::min(asked / times_looked_at(hits) * kSectorBytes, l1_bytes / hits);
}

double random_l2_rate(const DeviceProfile& device, double table_bytes) {
  const double large = device.positive("random_l2_sector_rate");
  if (table_bytes <= 0) return large;
  constexpr double kSmallestKib = 16;
  const std::array<double, 4> rates = {device.positive("random_l2_16_kib_sector_rate"),
                                       device.positive("random_l2_64_kib_sector_rate"),
                                       device.positive("random_l2_256_kib_sector_rate"), large};
  const double fourfold = std::clamp(std::log2(table_bytes / 1024 / kSmallestKib) / 2, 0.0, 3.0);
  const auto below = std::min(static_cast<std::size_t>(fourfold), rates.size() - 2);
  return std::lerp(rates[below], rates[below + 1], fourfold - static_cast<double>(below));
}

}  // namespace pnsim
