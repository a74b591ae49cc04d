// Evaluates the prediction of the best block size without measurements. Points recorded at one
// block size are reshaped to the others (simulator/model/launch/launch_shape.h) and compared with
// recorded times.
#pragma once

#include "experiments/spec/options.h"
#include "simulator/analysis/predict/recorded.h"
#include "simulator/model/device/device_profile.h"
#include "simulator/model/template/net_template.h"

namespace pnsim::experiments {

// A block size counts as good when its time exceeds the best one by at most this share.
inline constexpr double kGoodEnough = 0.03;

// A problem is a set of recorded points of one program that do the same work with equally many
// threads in blocks of different sizes. From each of these points the net predicts all sizes: its
// own as recorded, the others reshaped. The size with the best prediction is compared with the
// measured best one (warm). The table has one row per program and one over all. Programs whose
// threads depend on the block size are skipped with the reason. Throws error 4 when no problem is
// left.
Rendered launch_shape_table(const RecordedResults& recorded, const DeviceProfile& device,
                            const NetTemplate& net, const RunOptions& options);

}  // namespace pnsim::experiments
