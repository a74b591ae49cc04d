#include "simulator/cli/run_model.h"

#include "simulator/model/memory/cold_launch.h"
#include "simulator/model/sm/sm_parameters.h"

namespace pnsim {

ModelRun run_model(const ModelRunOptions& options, const FoundInput& found, SharedInputs& shared) {
  ModelRun run;
  run.input = load_model_input(options.input, found, shared);
  const ModelInput& input = *run.input;
  if (options.cold && !walks_programs(*input.net_template)) {
    fail_usage("--cold: net " + input.net_template->name + " does not model caches; use --net sm");
  }
  const RecordedPoint cold = options.cold ? when_cold(*input.point) : RecordedPoint{};
  const PointRequest request{&input.model,         input.net_template.get(),
                             input.device.get(),   options.cold ? &cold : input.point,
                             input.net_parameters, {}};
  const auto recorded = shared.recorded(input.device->name, input.model.name);
  run.report = run_model_point(request, options.point, *recorded, options.cold ? "cold" : "warm");
  run.code = exit_code_of(run.report, *input.net_template);
  return run;
}

}  // namespace pnsim
