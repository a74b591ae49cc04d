// Adds replicas until the mean of the steps is as precise as requested.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "simulator/base/json.h"

namespace pnsim {

inline constexpr std::uint32_t kFirstLook = 8;  // replicas before the first check
inline constexpr std::uint32_t kDefaultMaxReplicas = 10'000;

// The precision is checked after 8, 16, 32 ... replicas and after `max_replicas`. Check k = 1, 2
// ... uses the Student-t interval of level 1 - 0.05 / (k (k + 1)). These error probabilities add up
// to at most 5 % over any number of checks, so repeated checks do not invalidate the confidence
// level.
struct StoppingRule {
  double rel_error = 0.01;  // > 0: largest half width of the interval, relative to the mean
  std::uint32_t max_replicas = kDefaultMaxReplicas;
};

// The result of the stopping rule.
struct Stopped {
  double rel_error = 0;            // as requested
  bool reached = false;            // the precision was reached within max_replicas
  double relative_half_width = 0;  // of the interval of the last check; 0 without any variation
  int looks = 0;                   // number of checks
};

// The half width of the interval of check k (from 1). Needs at least two samples.
double half_width_at(std::span<const double> samples, int look);

// The same over the mean.
double relative_half_width(std::span<const double> steps, int look);

// `run(first, count)` must run the replicas first ... first + count - 1. `steps()` must return the
// steps of all replicas so far. The result depends neither on threads nor on time.
Stopped run_until_precise(const StoppingRule& rule,
                          const std::function<void(std::uint32_t, std::uint32_t)>& run,
                          const std::function<std::vector<double>()>& steps);

// {"rel_error", "reached", "relative_half_width", "looks"}
Json to_json(const Stopped& stopped);

}  // namespace pnsim
