// Do warps wait for what the net says? Its reasons beside the profiler's, launch by launch.
#pragma once

#include "experiments/tables/document_tables.h"

namespace pnsim::experiments {

// Every launch whose stalls are recorded (kind "counts", "stalls") and whose program a model has,
// by kernel, and over all: the first reason by the profiler and by the net, of the mean shares; in
// how many launches the two name the same; how far the shares are apart. Then the mean shares of
// each group (reason_groups.h). The profiler saw one launch; the net predicts it as made over and
// over, as elsewhere. Points of a program that cannot be predicted are left out, with the reason.
// Error 2 for a net that does not say where its steps go, error 4 when no launch is left.
Rendered reasons_table(const RowIndex& rows, const DeviceProfile& device, const NetTemplate& net,
                       const RunOptions& options);

}  // namespace pnsim::experiments
