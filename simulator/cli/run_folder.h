// Runs every kernel model of a folder, such as `pnsim derive` writes.
#pragma once

#include "simulator/analysis/predict/folder_report.h"
#include "simulator/cli/run_model.h"

namespace pnsim {

// Predicts the models and shows them as `view` says, several at a time on the threads. An error
// in one file is reported on stderr and does not affect the others. Returns the exit code of the
// first file that failed. `outputs` are all requested output files; none of them may be in the
// folder's list. Throws error 3 for a folder without models and error 2 for options that fit none.
ExitCode run_folder(const ModelRunOptions& options, const FolderView& view,
                    const OutputOptions& output, const std::vector<std::string>& outputs);

}  // namespace pnsim
