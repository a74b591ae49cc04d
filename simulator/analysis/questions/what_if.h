// What would help: the time predicted for a launch on a changed device, of a changed program, at
// another block size. For nets that walk programs (models/nets/sm.json).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulator/analysis/predict/predict.h"

namespace pnsim {

struct WhatIfRow {
  std::string what;               // "twice the L2 bandwidth"
  std::optional<double> time_us;  // nothing: a run did not come to its end
  std::optional<double> change;   // time / time of the point as it is - 1, where both have one
};

struct WhatIfReport {
  std::string model, net, device;
  Problem problem;
  RunOptions options;
  ParameterValues parameters;        // of the net, as used
  Outcome outcome = Outcome::kGoal;  // the worst over all runs
  std::optional<double> time_us;  // of the point as it is; nothing: a run did not come to its end
  std::vector<WhatIfRow> rows;    // the shortest time first, those without a time last
};

// The changes are a table at the top of what_if.cc; those of facts or parameters that the device or
// the net does not have are left out. All runs have the same seed and replicas. Beside them stand
// the recorded points of the model that differ in one axis which keeps the work as it is (block,
// blocks, tile, group). Error 2 for a net whose step is not a cycle.
WhatIfReport what_if(const PointRequest& request, const RunOptions& options);

Json to_json(const WhatIfReport& report);
std::string text_of(const WhatIfReport& report);
std::string csv_of(const WhatIfReport& report);

}  // namespace pnsim
