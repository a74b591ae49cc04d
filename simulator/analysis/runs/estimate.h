// Statistics of a number over the replicas of a run.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "simulator/base/json.h"
#include "simulator/base/stats.h"

namespace pnsim {

// One replica has no standard deviation and no interval.
struct Estimate {
  double mean = 0;
  double min = 0;
  double max = 0;
  std::optional<double> stddev;
  std::optional<Interval> ci95;  // Student-t interval of the mean
};

Estimate estimate_of(std::span<const double> replicas);

// {"mean", "stddev", "min", "max", "ci95": [low, high]}; absent values are null. Whole numbers are
// written without a fraction.
Json to_json(const Estimate& estimate);

// Example: "7385.2" or "7385.2 ± 4.1 (95 %)".
std::string text_of(const Estimate& estimate, int decimals = 1);

}  // namespace pnsim
