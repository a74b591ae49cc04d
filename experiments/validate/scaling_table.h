// A measured GPU as if only its data sheet were known.
#pragma once

#include <string>

#include "experiments/spec/options.h"
#include "simulator/analysis/runs/replicas.h"
#include "simulator/model/device/device_profile.h"

namespace pnsim::experiments {

// The errors on the warm times of `to`, as if it had never been measured: its data sheet scales the
// profile of `from`. For each rule: how far its facts are off, and the error when they are not
// scaled, and when they are measured. Error 2 when both are one GPU.
Rendered scaling_table(const DeviceProfile& from, const DeviceProfile& to, const std::string& net,
                       const RunOptions& options);

}  // namespace pnsim::experiments
