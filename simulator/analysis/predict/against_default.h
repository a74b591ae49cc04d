// What --set changes: the steps of a point against those with the net's own parameters and the
// model's own counts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulator/analysis/predict/predict.h"

namespace pnsim {

// The same replicas of both are compared one by one, so most of the random variation cancels.
struct AgainstDefault {
  ParameterValues parameters;        // values of the default that were changed: l1 = 20
  std::vector<std::string> own;      // changed numbers that the model's launches give: xa, latency
  double steps = 0;                  // of the default, mean over the replicas
  double change = 0;                 // more steps than that, mean over the replicas
  std::optional<double> half_width;  // of the 95 % interval of `change`; absent for one replica

  double percent() const { return 100 * change / steps; }
};

// Runs the default with the replicas of `changed`, the prediction for this request. Nothing when
// the request changes no parameter and no count, and when a run did not come to its end.
std::optional<AgainstDefault> against_default(const PointRequest& request,
                                              const RunOptions& options, const Prediction& changed);

// The command that fits the time of a step of this net with these parameters; "" where a parameter
// has several values.
std::string calibrate_command(const PointRequest& request, const ParameterValues& parameters);

// What that command does: what its times are worth, and where it stores them.
std::string calibrate_effect(const std::string& device);

}  // namespace pnsim
