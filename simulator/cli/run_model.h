// One kernel model, read and predicted: what `pnsim --model` does with a file, and with each file
// of a folder.
#pragma once

#include "simulator/analysis/predict/run_point.h"
#include "simulator/cli/input.h"

namespace pnsim {

struct ModelRunOptions {
  InputOptions input;
  PointOptions point;
  bool cold = false;
};

struct ModelRun {
  std::unique_ptr<ModelInput> input;
  ModelRunReport report;  // of `input`
  ExitCode code = ExitCode::kOk;
};

// Errors as in input.h; error 2 for --cold on a net that knows no caches.
ModelRun run_model(const ModelRunOptions& options, const FoundInput& found, SharedInputs& shared);

}  // namespace pnsim
