// How the steps of a run change with each number of its net: differences and elasticities.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/analysis/runs/estimate.h"
#include "simulator/analysis/sweep/sweep_points.h"

namespace pnsim {

// A number and the standard error of it over replicas (nothing for one replica).
struct WithError {
  double value = 0;
  std::optional<double> standard_error;
};

// One parameter, moved from `low` to `high`. A parameter with one value a warp is moved by the same
// number for all warps together, and `value` is its mean over the warps.
struct Sensitivity {
  std::string parameter;
  double value = 0;
  double low = 0, high = 0;
  WithError low_steps, high_steps;  // means
  WithError per_unit;               // (steps(high) - steps(low)) / (high - low)
  std::optional<WithError>
      elasticity;       // per_unit * value / steps: % of steps per % of the parameter
  std::string why_not;  // not empty: it could not be moved, and the numbers say nothing
};

struct SensitivityReport {
  std::string model, net;
  std::string device;  // "" for none
  RunOptions options;
  ParameterValues parameters;        // as used (of a kernel model also the axes of its problem)
  Estimate steps;                    // at these
  Outcome outcome = Outcome::kGoal;  // the worst over all runs
  std::vector<Sensitivity> rows;     // in the order of the template
  bool has_ended = true;             // every run came to its end
};

// Each parameter is moved down and up by `relative_step` (> 0) of its value, at least by 1, and
// only to one side where its range ends. All runs have the same seed, replicas and streams, so that
// most of the randomness cancels in the differences; their standard errors come from the
// differences, replica by replica. The warps' counts of a kernel model (xa, xs, xg) are moved in
// all launches. Error 2 for a plain net, which has no parameters.
SensitivityReport sensitivity(const SweepInput& input, const RunOptions& options,
                              double relative_step);

Json to_json(const SensitivityReport& report);
std::string text_of(const SensitivityReport& report);
std::string csv_of(const SensitivityReport& report);

}  // namespace pnsim
