// What replicas say about a number.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "simulator/base/json.h"
#include "simulator/base/stats.h"

namespace pnsim {

// Over the replicas of one run. One replica has no spread and no interval.
struct Estimate {
  double mean = 0;
  double min = 0;
  double max = 0;
  std::optional<double> stddev;
  std::optional<Interval> ci95;  // Student-t, of the mean
};

Estimate estimate_of(std::span<const double> replicas);

// {"mean", "stddev", "min", "max", "ci95": [low, high]}; null where there is none. Whole numbers
// are written as such.
Json to_json(const Estimate& estimate);

// "7385.2" or "7385.2 ± 4.1 (95 %)".
std::string text_of(const Estimate& estimate, int decimals = 1);

}  // namespace pnsim
