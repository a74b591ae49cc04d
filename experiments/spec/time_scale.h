// The recorded time of a step: a row of results/<device>/time_scale.jsonl.
#pragma once

#include <string>

#include "experiments/spec/suite.h"
#include "simulator/analysis/predict/recorded.h"

namespace pnsim::experiments {

// Predicts the suite's points at `setting`, looks up their recorded times and fits the geometric
// mean of time / steps over the training points:
// {"id","kind":"time_scale","net","device","parameters":{..},"us_per_step","points","rule","programs",
//  "seed","replicas","commit","date","command"}. `parameters` are all parameters of the net except
// those that launches provide. The id depends on net, device and parameters, so a later fit
// replaces an earlier one. Throws error 4 for a point without a recorded time.
Json time_scale_row(const Suite& suite, const ParameterValues& setting,
                    const RecordedResults& recorded, const RunOptions& options,
                    const std::string& command);

}  // namespace pnsim::experiments
