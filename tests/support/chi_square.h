// Pearson's chi-square test of counts against expected counts.
#pragma once

#include <boost/math/distributions/chi_squared.hpp>
#include <cstddef>
#include <optional>
#include <vector>

namespace pnsim::test {

inline constexpr double kLeastExpected = 5;  // per category: below, the statistic means little

struct ChiSquare {
  double statistic;
  double threshold;  // exceeded with probability `significance` when the expectation is true
  bool passes() const { return statistic <= threshold; }
};

// Nothing when it cannot be judged: fewer than two categories, or one expects too little.
inline std::optional<ChiSquare> chi_square(const std::vector<double>& observed,
                                           const std::vector<double>& expected,
                                           double significance) {
  if (observed.size() != expected.size() || observed.size() < 2) return std::nullopt;
  double statistic = 0;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    if (expected[i] < kLeastExpected) return std::nullopt;
    statistic += (observed[i] - expected[i]) * (observed[i] - expected[i]) / expected[i];
  }
  const boost::math::chi_squared distribution(static_cast<double>(observed.size() - 1));
  return ChiSquare{statistic, quantile(complement(distribution, significance))};
}

}  // namespace pnsim::test
