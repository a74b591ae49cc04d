// A number of a net that is varied down and up, with as many replicas as tell the effect from the
// noise of the draws.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "simulator/analysis/questions/replica_rule.h"

namespace pnsim {

using Samples = std::vector<double>;  // [replica]

// A number with its standard error over the replicas, and the half width of its 95 % interval (both
// absent for one replica).
struct WithError {
  double value = 0;
  std::optional<double> standard_error, half_width;
};

// A smaller elasticity does not matter: 0.005 % more steps for 1 % more of the parameter.
inline constexpr double kSmallElasticity = 0.005;

// One parameter, varied from `low` to `high`. A parameter with one value per warp is changed by the
// same amount for all warps; `value` is then the mean over the warps.
struct Sensitivity {
  std::string parameter;
  double value = 0;
  double low = 0, high = 0;
  WithError low_steps, high_steps;  // mean steps
  WithError per_unit;               // (steps(high) - steps(low)) / (high - low)
  std::optional<WithError>
      elasticity;              // per_unit * value / steps: % of steps per % of the parameter
  std::uint32_t replicas = 0;  // of each run
  Told told = Told::kNoise;    // whether the elasticity is told from the noise of the draws
  std::string why_not;  // why the parameter could not be varied; if not "", ignore the numbers
};

// Replicas first ... first + count - 1.
struct Replicas {
  std::uint32_t first = 0, count = 0;
};

// A number that can be varied. `run` returns the steps with `change` added to it.
struct Knob {
  std::string name;
  double value = 0;           // the mean over the warps
  std::int64_t smallest = 0;  // the smallest of its values; all must stay at least `min`
  std::int64_t largest = 0;
  std::int64_t min = 0, max = 0;
  std::function<Samples(std::int64_t change, Replicas replicas)> run;
};

// The unchanged runs, of which there are as many as were needed so far.
class BaseRuns {
 public:
  explicit BaseRuns(std::function<Samples(Replicas)> run) : run_(std::move(run)) {}

  // The steps of the first `count` replicas.
  Samples first(std::size_t count);
  const Samples& all() const { return steps_; }

 private:
  std::function<Samples(Replicas)> run_;
  Samples steps_;
};

// Varies the number by `relative_step` (> 0) of its value, at least by 1, and to one side only
// where its range ends. An error 3 of a run becomes the row's `why_not`.
Sensitivity varied(const Knob& knob, const ReplicaRule& rule, BaseRuns& base, double relative_step);

}  // namespace pnsim
