// Traces of one launch of a kernel model.
#pragma once

#include "simulator/cli/run_model.h"
#include "simulator/cli/trace.h"

namespace pnsim {

// Throws error 2 for options that do not apply to kernel models: the lines of a whole launch would
// fill a disk, so they need --trace-steps.
void check_model_traces(const TraceOptions& options);

// Writes the traces of the run's believed net (nets_report.h). Without --launch it is the launch
// entry with the most predicted steps over its repeats. Throws error 2 for a launch that the model
// does not have.
void write_model_traces(const TraceOptions& options, const ModelRun& run,
                        const RunOptions& run_options);

}  // namespace pnsim
