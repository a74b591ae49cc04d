// The sensitivity of the steps to each number of a net: differences and elasticities.
#pragma once

#include <string>
#include <vector>

#include "simulator/analysis/questions/varied_number.h"
#include "simulator/analysis/runs/estimate.h"
#include "simulator/analysis/sweep/sweep_points.h"

namespace pnsim {

struct SensitivityReport {
  std::string model, net;
  std::string device;  // "" without a device
  RunOptions options;  // `replicas`: the most that a parameter took
  ReplicaRule rule;
  ParameterValues parameters;        // the values in use; for a kernel model also its axes
  Estimate steps;                    // at these values
  Outcome outcome = Outcome::kGoal;  // the worst over all runs
  std::vector<Sensitivity> rows;     // in the order of the template
  bool has_ended = true;             // every run came to its end
  double first_steps = 0;            // of the first replica, as a single run has them
};

// Varies each parameter down and up by `relative_step` (> 0) of its value, at least by 1, and to
// one side only where its range ends. All runs share the seed, replicas and streams, so that most
// of the random variation cancels in the differences. The errors come from the differences replica
// by replica. Each parameter gets as many replicas as tell its elasticity from 0, or from what is
// too small to matter, within the rule; options.replicas is ignored. The per-warp counts of a
// kernel model (xa, xs, xg) are varied in all launches at once. Throws error 2 for a plain net,
// which has no parameters.
SensitivityReport sensitivity(const SweepInput& input, const RunOptions& options,
                              const ReplicaRule& rule, double relative_step);

Json to_json(const SensitivityReport& report);
std::string text_of(const SensitivityReport& report);
std::string csv_of(const SensitivityReport& report);

}  // namespace pnsim
