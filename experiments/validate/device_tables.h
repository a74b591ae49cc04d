// Predictions across GPUs: profiled on one, predicted for another and measured there.
#pragma once

#include <string>

#include "experiments/spec/options.h"
#include "simulator/analysis/runs/replicas.h"
#include "simulator/model/device/device_profile.h"
#include "simulator/model/template/net_template.h"

namespace pnsim::experiments {

// The errors of `net` on all warm times of every GPU that has some, by the GPU whose counts the
// kernel models hold: the shipped models, and those of results/DEVICE/models. Then the same on the
// points that were profiled on both, then by program, the largest error across GPUs first. A net
// whose step is no cycle is refused with error 2.
Rendered devices_table(const std::string& net, const RunOptions& options);

// The errors on the warm times of `to`, as if it had never been measured: its data sheet scales the
// profile of `from`. For each rule: how far its facts are off, and the error when they are not
// scaled, and when they are measured. Error 2 when both are one GPU.
Rendered scaling_table(const DeviceProfile& from, const DeviceProfile& to, const std::string& net,
                       const RunOptions& options);

}  // namespace pnsim::experiments
