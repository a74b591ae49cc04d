// Reads and predicts one kernel model, for `pnsim --model` with a file or with a folder.
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
  ModelRunReport report;  // points into `input`
  ExitCode code = ExitCode::kOk;
};

// Throws the errors of input.h, and error 2 for --cold with a net that does not model caches.
ModelRun run_model(const ModelRunOptions& options, const FoundInput& found, SharedInputs& shared);

}  // namespace pnsim
