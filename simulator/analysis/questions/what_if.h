// What-if questions: the predicted time of a launch on a changed device, with a changed program, or
// with another block size. For nets that execute programs (models/nets/sm.json).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulator/analysis/questions/compared_points.h"

namespace pnsim {

// A smaller change of the time does not matter: 0.2 %.
inline constexpr double kSmallChange = 0.002;

struct WhatIfRow {
  std::string what;  // "twice the L2 bandwidth"
  ComparedPoint point;
};

struct WhatIfReport {
  std::string model, net, device;
  Problem problem;
  RunOptions options;  // `replicas`: the most that a row took
  ReplicaRule rule;
  ParameterValues parameters;        // of the net, as used
  Outcome outcome = Outcome::kGoal;  // the worst over all runs
  std::optional<double> time_us;     // of the unchanged point; absent when a run did not end
  std::optional<double> first_us;    // the same of its first replica, as a single run predicts it
  std::vector<WhatIfRow> rows;       // the shortest time first; rows without a time last
};

// Applies each change of the table in what_if.cc. Changes to a fact or parameter that the device or
// the net does not have are skipped. All runs share the seed, and each change gets as many replicas
// as tell it from 0, or from what is too small to matter, within the rule; options.replicas is
// ignored. The rows also hold
// the recorded points of the model that differ in one axis and do the same work (block, blocks,
// tile, group). Throws error 2 for a net whose step is not one cycle.
WhatIfReport what_if(const PointRequest& request, const RunOptions& options,
                     const ReplicaRule& rule);

Json to_json(const WhatIfReport& report);
std::string text_of(const WhatIfReport& report);
std::string csv_of(const WhatIfReport& report);

}  // namespace pnsim
