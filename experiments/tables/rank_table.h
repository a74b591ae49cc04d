// How much of the best speed is kept by measuring only the first k configurations in the predicted
// order, over all recorded programs.
#pragma once

#include "experiments/spec/options.h"
#include "simulator/analysis/predict/recorded.h"
#include "simulator/model/device/device_profile.h"
#include "simulator/model/template/net_template.h"

namespace pnsim::experiments {

// A problem is a set of recorded points of one program that do the same work (work_of()) in at
// least two configurations with measured warm times. The net predicts each from its own profile.
// One row per program and one over all problems. Throws error 4 when there is no such problem.
Rendered rank_table(const RecordedResults& recorded, const DeviceProfile& device,
                    const NetTemplate& net, const RunOptions& options);

}  // namespace pnsim::experiments
