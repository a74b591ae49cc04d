// How many replicas are enough: more are run until the mean of the steps is known as well as asked.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "simulator/base/json.h"

namespace pnsim {

inline constexpr std::uint32_t kFirstLook = 8;  // replicas before the first look
inline constexpr std::uint32_t kDefaultMaxReplicas = 10'000;

// The looks are at 8, 16, 32 ... replicas and at `max_replicas`. Look k = 1, 2 ... uses the
// Student-t interval of level 1 - 0.05 / (k (k + 1)): the chances of error add up to at most 5 %
// over any number of looks, so that stopping when it looks good does not spoil the confidence.
struct StoppingRule {
  double rel_error = 0.01;  // > 0: largest half width of the interval, relative to the mean
  std::uint32_t max_replicas = kDefaultMaxReplicas;
};

// How it ended.
struct Stopped {
  double rel_error = 0;            // as asked
  bool reached = false;            // within max_replicas
  double relative_half_width = 0;  // of the last look's interval; 0 when nothing varies
  int looks = 0;
};

// Half width of look k's interval (k from 1) over the mean. At least two samples.
double relative_half_width(std::span<const double> steps, int look);

// `run(first, count)` runs replicas first ... first + count - 1; `steps()` are those of all
// replicas so far. Depends on nothing else: not on threads, not on time.
Stopped run_until_precise(const StoppingRule& rule,
                          const std::function<void(std::uint32_t, std::uint32_t)>& run,
                          const std::function<std::vector<double>()>& steps);

// {"rel_error", "reached", "relative_half_width", "looks"}
Json to_json(const Stopped& stopped);

}  // namespace pnsim
