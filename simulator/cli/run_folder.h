// Every kernel model of a folder, as `pnsim derive` fills one.
#pragma once

#include "simulator/cli/run_model.h"

namespace pnsim {

// Predicts the models in the order of their files' names; threads share out the models. A file that
// cannot be read or run is said on stderr and costs no other. The code of the first file whose own
// is not 0. `outputs`: all files that are asked for, none of which may be one of the folder's.
// Error 3 for a folder without models, error 2 for options that suit none of them.
ExitCode run_folder(const ModelRunOptions& options, const OutputOptions& output,
                    const std::vector<std::string>& outputs);

}  // namespace pnsim
