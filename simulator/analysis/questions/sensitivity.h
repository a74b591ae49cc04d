// The sensitivity of the steps to each number of a net: differences and elasticities.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/analysis/runs/estimate.h"
#include "simulator/analysis/sweep/sweep_points.h"

namespace pnsim {

// A number and its standard error over the replicas (absent for one replica).
struct WithError {
  double value = 0;
  std::optional<double> standard_error;
};

// One parameter, varied from `low` to `high`. A parameter with one value per warp is changed by the
// same amount for all warps; `value` is then the mean over the warps.
struct Sensitivity {
  std::string parameter;
  double value = 0;
  double low = 0, high = 0;
  WithError low_steps, high_steps;  // mean steps
  WithError per_unit;               // (steps(high) - steps(low)) / (high - low)
  std::optional<WithError>
      elasticity;       // per_unit * value / steps: % of steps per % of the parameter
  std::string why_not;  // why the parameter could not be varied; if not "", ignore the numbers
};

struct SensitivityReport {
  std::string model, net;
  std::string device;  // "" without a device
  RunOptions options;
  ParameterValues parameters;        // the values in use; for a kernel model also its axes
  Estimate steps;                    // at these values
  Outcome outcome = Outcome::kGoal;  // the worst over all runs
  std::vector<Sensitivity> rows;     // in the order of the template
  bool has_ended = true;             // every run came to its end
};

// Varies each parameter down and up by `relative_step` (> 0) of its value, at least by 1, and to
// one side only where its range ends. All runs share the seed, replicas and streams, so that most
// of the random variation cancels in the differences. The standard errors come from the differences
// replica by replica. The per-warp counts of a kernel model (xa, xs, xg) are varied in all launches
// at once. Throws error 2 for a plain net, which has no parameters.
SensitivityReport sensitivity(const SweepInput& input, const RunOptions& options,
                              double relative_step);

Json to_json(const SensitivityReport& report);
std::string text_of(const SensitivityReport& report);
std::string csv_of(const SensitivityReport& report);

}  // namespace pnsim
