#include "simulator/analysis/runs/stopping.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "simulator/base/stats.h"

namespace pnsim {

double half_width_at(std::span<const double> samples, int look) {
  const double spread = stddev(samples);
  if (spread == 0) return 0;
  const auto n = static_cast<double>(samples.size());
  const double alpha = 0.05 / (static_cast<double>(look) * (look + 1));
  const boost::math::students_t distribution(n - 1);
  const double t = boost::math::quantile(boost::math::complement(distribution, alpha / 2));
  return t * spread / std::sqrt(n);
}

double relative_half_width(std::span<const double> steps, int look) {
  const double half_width = half_width_at(steps, look);
  return half_width == 0 ? 0 : half_width / std::abs(mean(steps));
}

Stopped run_until_precise(const StoppingRule& rule,
                          const std::function<void(std::uint32_t, std::uint32_t)>& run,
                          const std::function<std::vector<double>()>& steps) {
  Stopped out;
  out.rel_error = rule.rel_error;
  std::uint32_t have = 0;
  for (std::uint32_t want = kFirstLook; !out.reached && have < rule.max_replicas; want *= 2) {
    want = std::min(want, rule.max_replicas);
    run(have, want - have);
    have = want;
    ++out.looks;
    out.relative_half_width = relative_half_width(steps(), out.looks);
    out.reached = out.relative_half_width <= rule.rel_error;
  }
  return out;
}

Json to_json(const Stopped& stopped) {
  return Json{{"rel_error", stopped.rel_error},
              {"reached", stopped.reached},
              {"relative_half_width", stopped.relative_half_width},
              {"looks", stopped.looks}};
}

}  // namespace pnsim
