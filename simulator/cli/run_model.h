// Reads and predicts one kernel model, for `pnsim --model` with a file or with a folder.
#pragma once

#include "simulator/analysis/predict/nets_report.h"
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
  std::vector<std::shared_ptr<const NetTemplate>> nets;
  std::unique_ptr<RecordedPoint> cold;  // the point of a cold run
  std::vector<PointRequest> requests;   // [report.reports]; they point into the above
  NetsReport report;                    // points into `input`
  ExitCode code = ExitCode::kOk;
  // The worst outcome of the nets whose runs did not come to their end; kGoal when all did.
  Outcome worst_end = Outcome::kGoal;
};

// Predicts with the net of --net, or without --net with every net that the model allows. The code
// is the worst of the nets. An error of another net than the first one is told in the report.
// Throws the errors of input.h, and error 2 for --cold with a net that does not model caches.
ModelRun run_model(const ModelRunOptions& options, const FoundInput& found, SharedInputs& shared);

}  // namespace pnsim
