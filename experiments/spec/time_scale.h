// The recorded time of a step: a row of results/<device>/time_scale.jsonl.
#pragma once

#include <string>

#include "experiments/spec/suite.h"
#include "simulator/analysis/predict/recorded.h"

namespace pnsim::experiments {

// Predicts the suite's points at `setting`, takes their recorded times, and fits the geometric mean
// of time / steps over the training points:
// {"id","kind":"time_scale","net","device","parameters":{..},"us_per_step","points","rule","programs",
//  "seed","replicas","commit","date","command"}. `parameters` are all of the net's but those that
// launches fill in. The id is of net, device and parameters: a later fit takes the place of an
// earlier one. Error 4 for a point without a recorded time.
Json time_scale_row(const Suite& suite, const ParameterValues& setting,
                    const RecordedResults& recorded, const RunOptions& options,
                    const std::string& command);

}  // namespace pnsim::experiments
