// Is the best block size found without measuring it? Points recorded with blocks of one size,
// re-shaped to the others (simulator/model/launch/launch_shape.h), judged by recorded times.
#pragma once

#include "experiments/spec/options.h"
#include "simulator/analysis/predict/recorded.h"
#include "simulator/model/device/device_profile.h"
#include "simulator/model/template/net_template.h"

namespace pnsim::experiments {

// A block counts as good that costs at most this share of time more than the best one.
inline constexpr double kGoodEnough = 0.03;

// A problem: recorded points of a program that do the same work, as many threads in blocks of
// different sizes. From each of them the net predicts all sizes, its own as recorded and the others
// re-shaped; the block that is predicted best is held against the best measured one (warm). By
// program and over all; programs whose threads depend on the block are left out with the reason.
// Error 4 when no problem is left.
Rendered launch_shape_table(const RecordedResults& recorded, const DeviceProfile& device,
                            const NetTemplate& net, const RunOptions& options);

}  // namespace pnsim::experiments
