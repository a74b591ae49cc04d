#include "simulator/analysis/runs/estimate.h"

#include <algorithm>
#include <cmath>

#include "simulator/base/table.h"

namespace pnsim {
namespace {

// Integers up to 2^53 are exact as doubles; they are written as integers, which read better.
Json number(double value) {
  if (value == std::floor(value) && std::abs(value) < 9e15) {
    return Json(static_cast<std::int64_t>(value));
  }
  return Json(value);
}

}  // namespace

Estimate estimate_of(std::span<const double> replicas) {
  Estimate out;
  out.mean = mean(replicas);
  out.min = *std::min_element(replicas.begin(), replicas.end());
  out.max = *std::max_element(replicas.begin(), replicas.end());
  if (replicas.size() < 2) return out;
  out.stddev = stddev(replicas);
  out.ci95 = mean_ci95(replicas);
  return out;
}

Json to_json(const Estimate& estimate) {
  Json out;
  out["mean"] = number(estimate.mean);
  out["stddev"] = estimate.stddev ? number(*estimate.stddev) : Json(nullptr);
  out["min"] = number(estimate.min);
  out["max"] = number(estimate.max);
  out["ci95"] = estimate.ci95
                    ? Json::array({number(estimate.ci95->low), number(estimate.ci95->high)})
                    : Json(nullptr);
  return out;
}

std::string text_of(const Estimate& estimate, int decimals) {
  if (!estimate.ci95)
    return fixed(estimate.mean, estimate.mean == std::floor(estimate.mean) ? 0 : decimals);
  return fixed(estimate.mean, decimals) + " ± " +
         fixed((estimate.ci95->high - estimate.ci95->low) / 2, decimals) + " (95 %)";
}

}  // namespace pnsim
