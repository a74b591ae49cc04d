#include "simulator/model/memory/occupancy.h"

#include <cmath>

namespace pnsim {

double touched_per_access(double accesses) { return -std::expm1(-accesses) / accesses; }

double accesses_per_sector(double share) {
  if (share >= 1) return 0;
  constexpr int kHalvings = 60;  // to the precision of a double
  double low = 0, high = 1 / share;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (touched_per_access(middle) > share ? low : high) = middle;
  }
  return high;
}

}  // namespace pnsim
