#include "simulator/model/memory/tag_banks.h"

#include <algorithm>
#include <cmath>

namespace pnsim {
namespace {

using Series = std::array<double, FullestBin::kMostBalls + 1>;  // [n] of x^n

// [n] ways, over n!, to put n balls into bins of at most `most` each: (1 + x + x^2/2! + ... +
// x^most/most!)^bins.
Series ways(std::int64_t bins, std::size_t most) {
  Series one{}, all{};
  double factorial = 1;
  for (std::size_t n = 0; n <= most; ++n) {
    one[n] = 1 / factorial;
    factorial *= static_cast<double>(n + 1);
  }
  all[0] = 1;
  for (std::int64_t b = 0; b < bins; ++b) {
    for (std::size_t n = all.size(); n-- > 0;) {
      double sum = 0;
      for (std::size_t k = 0; k <= std::min(n, most); ++k) sum += all[n - k] * one[k];
      all[n] = sum;
    }
  }
  return all;
}

}  // namespace

// Sums, over m, of the chance that some bin has more than m.
FullestBin::FullestBin(std::int64_t bins) {
  for (std::size_t most = 0; most < kMostBalls; ++most) {
    const Series at_most = ways(bins, most);
    double all = 1;
    for (std::size_t n = 1; n <= kMostBalls; ++n) {
      all *= static_cast<double>(bins) / static_cast<double>(n);
      if (n > most) mean_[n] += 1 - at_most[n] / all;
    }
  }
  mean_.back() = mean_[kMostBalls];
}

double FullestBin::of(double balls) const {
  const double n = std::clamp(balls, 0.0, static_cast<double>(kMostBalls));
  const auto below = static_cast<std::size_t>(n);
  return mean_[below] + (n - std::floor(n)) * (mean_[below + 1] - mean_[below]);
}

double TagBanks::cycles(const AccessPattern& access, bool conflicts) const {
  return conflicts && access.random ? fullest_.of(access.lines) : access.lines / banks_;
}

}  // namespace pnsim
