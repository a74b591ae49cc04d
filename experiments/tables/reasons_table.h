// Compares the net's reasons for waiting warps with those of the profiler, launch by launch.
#pragma once

#include "experiments/tables/document_tables.h"

namespace pnsim::experiments {

// Covers every launch whose stalls are recorded (kind "counts", "stalls") and whose program has a
// model. By kernel and over all, the table shows: the first reason by the profiler and by the net
// (of the mean shares), in how many launches both name the same reason, and the distance between
// the shares. Then it shows the mean shares of each group (reason_groups.h). The profiler observed
// one launch, whereas the net predicts it as repeated back to back. Points of a program that cannot
// be predicted are skipped with the reason. Throws error 2 for a net without a breakdown and error
// 4 when no launch is left.
Rendered reasons_table(const RowIndex& rows, const DeviceProfile& device, const NetTemplate& net,
                       const RunOptions& options);

}  // namespace pnsim::experiments
