#include "simulator/base/stats.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>

namespace pnsim {

double mean(std::span<const double> x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

double stddev(std::span<const double> x) {
  const double m = mean(x);
  double sum = 0;
  for (const double v : x) sum += (v - m) * (v - m);
  return std::sqrt(sum / static_cast<double>(x.size() - 1));
}

double quantile(std::vector<double> x, double q) {
  std::sort(x.begin(), x.end());
  const double position = q * static_cast<double>(x.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, x.size() - 1);
  return x[below] + (position - static_cast<double>(below)) * (x[above] - x[below]);
}

double median(std::vector<double> x) { return quantile(std::move(x), 0.5); }

double geometric_mean(std::span<const double> x) {
  double sum = 0;
  for (const double v : x) sum += std::log(v);
  return std::exp(sum / static_cast<double>(x.size()));
}

double relative_mad(const std::vector<double>& x) {
  const double m = median(x);
  std::vector<double> deviation;
  for (const double v : x) deviation.push_back(std::abs(v - m));
  return median(std::move(deviation)) / m;
}

Interval mean_ci95(std::span<const double> x) {
  const double n = static_cast<double>(x.size());
  const boost::math::students_t distribution(n - 1);
  const double t = boost::math::quantile(distribution, 0.975);
  const double half = t * stddev(x) / std::sqrt(n);
  return {mean(x) - half, mean(x) + half};
}

double pearson(std::span<const double> x, std::span<const double> y) {
  const double mx = mean(x), my = mean(y);
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mx) * (y[i] - my);
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
  }
  if (xx <= 0 || yy <= 0) return std::numeric_limits<double>::quiet_NaN();
  return xy / std::sqrt(xx * yy);
}

std::vector<double> ranks(std::span<const double> x) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return x[a] < x[b]; });
  std::vector<double> rank(x.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i;
    while (end < order.size() && x[order[end]] == x[order[i]]) ++end;
    const double shared = (static_cast<double>(i + 1) + static_cast<double>(end)) / 2;
    for (; i < end; ++i) rank[order[i]] = shared;
  }
  return rank;
}

double spearman(std::span<const double> x, std::span<const double> y) {
  return pearson(ranks(x), ranks(y));
}

}  // namespace pnsim
