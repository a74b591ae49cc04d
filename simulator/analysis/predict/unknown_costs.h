// Warnings of what a launch costs on a device whose profile does not say it.
#pragma once

#include "simulator/analysis/predict/prediction_warning.h"
#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// Adds warnings of the kinds "code" (instructions that a launch in its program fetches) and
// "slices" (stores to one slice of L2).
void warn_of_unknown_costs(const KernelModel& model, const RecordedPoint& point,
                           const DeviceProfile& device, PredictionWarnings& out);

}  // namespace pnsim
