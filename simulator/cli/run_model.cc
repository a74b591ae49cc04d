#include "simulator/cli/run_model.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/model/memory/cold_launch.h"
#include "simulator/model/sm/sm_parameters.h"

namespace pnsim {
namespace {

ModelNetsInput load_nets(const ModelRunOptions& options, const FoundInput& found,
                         SharedInputs& shared) {
  if (options.input.net.empty()) {
    return load_model_nets(options.input, options.cold, found, shared);
  }
  ModelNetsInput out;
  out.input = load_model_input(options.input, found, shared);
  out.nets = {out.input->net_template};
  return out;
}

bool has_reasons(const NetTemplate& net) { return net.reasons.schedulers.has_value(); }

// The net that declares reasons may be the one that does not apply.
void refuse_reasons_without_programs(const ModelRunOptions& options, const ModelNetsInput& nets) {
  const auto declares = [](const auto& net) { return has_reasons(*net); };
  const bool is_declared = std::any_of(nets.nets.begin(), nets.nets.end(), declares);
  if (!options.point.run.count_reasons || is_declared || nets.not_run.empty()) return;
  std::string why = nets.not_run;  // lines
  std::replace(why.begin(), why.end(), '\n', ' ');
  fail_usage("--reasons shows where the cycles of net sm go, which does not apply here. " + why);
}

// Whether the profiler's time of the one point is known, and it is that of another GPU.
bool is_profiled_elsewhere(const PointRequest& request) {
  const Json& provenance = request.model->provenance;
  return walks_programs(*request.net_template) && request.model->points.size() == 1 &&
         request.model->device != request.device->name && is_profiled(request.model->device) &&
         provenance.is_object() && provenance.contains("profiled_us");
}

// A prediction that is far from the time under the profiler is as doubtful on another GPU, where
// nothing was profiled: the warning "far" of the profiled GPU stays.
void add_far_of_profiled_gpu(PointRequest request, PointOptions options, SharedInputs& shared,
                             ModelRunReport& report) {
  if (report.mode != "warm" || !is_profiled_elsewhere(request)) return;
  options.run.replicas = 1;
  options.run.count_reasons = false;
  options.stopping.reset();
  const std::string& profiled_on = request.model->device;
  try {
    const auto device = shared.device(profiled_on);
    request.device = device.get();
    const auto recorded = shared.recorded(profiled_on, request.model->name);
    const ModelRunReport there = run_model_point(request, options, *recorded);
    for (PredictionWarning warning : there.warnings) {
      if (warning.kind != "far") continue;
      warning.text = "On " + profiled_on + ", where it was profiled: " + warning.text;
      report.warnings.push_back(std::move(warning));
    }
  } catch (const Error& error) {
    // A profile that lacks facts, or a run that is too long there, says nothing about this one.
    if (error.code() != ExitCode::kBadInput && error.code() != ExitCode::kLimit) throw;
  }
}

// Predicts with one of the nets.
class NetRunner {
 public:
  // `cold`: the point of a cold run, otherwise null.
  NetRunner(const ModelRunOptions& options, const ModelNetsInput& nets, const RecordedPoint* cold,
            SharedInputs& shared)
      : options_(options), nets_(nets), cold_(cold), shared_(shared) {}

  void run(const NetTemplate& net, ModelRun& out) const {
    const ModelInput& input = *nets_.input;
    const PointRequest request{
        &input.model, &net, input.device.get(), cold_ ? cold_ : input.point, input.net_parameters,
        {},           {},   input.factors};
    const auto recorded = shared_.recorded(input.device->name, input.model.name);
    ModelRunReport report =
        run_model_point(request, point_options(net), *recorded, options_.cold ? "cold" : "warm");
    add_far_of_profiled_gpu(request, point_options(net), shared_, report);
    report.against_default = against_default(request, report.options, report.prediction);
    out.code = std::max(out.code, exit_code_of(report, net));
    const Outcome outcome = report.prediction.outcome;
    if (!came_to_end(outcome, !net.until.empty())) out.worst_end = std::min(out.worst_end, outcome);
    out.report.reports.push_back(std::move(report));
    out.requests.push_back(request);
  }

 private:
  // --reasons applies to the nets that declare reasons; when none does, the run says so.
  PointOptions point_options(const NetTemplate& net) const {
    PointOptions point = options_.point;
    const bool is_declared = std::any_of(nets_.nets.begin(), nets_.nets.end(),
                                         [](const auto& other) { return has_reasons(*other); });
    if (is_declared && !has_reasons(net)) point.run.count_reasons = false;
    return point;
  }

  const ModelRunOptions& options_;
  const ModelNetsInput& nets_;
  const RecordedPoint* cold_;
  SharedInputs& shared_;
};

// A net beside that of the model may refuse what the model's own net accepts, such as a device
// without one of its facts. A limit sets the exit code, so it is said on stderr as well: a table of
// a folder, or JSON, may be all of the output.
void run_beside(const NetRunner& runner, const NetTemplate& net, const std::string& model,
                ModelRun& out) {
  try {
    runner.run(net, out);
  } catch (const Error& error) {
    if (error.code() != ExitCode::kBadInput && error.code() != ExitCode::kLimit) throw;
    const std::string sentence = sentence_of_not_run(net.name, error.what());
    if (error.code() == ExitCode::kLimit) {
      out.code = std::max(out.code, error.code());
      spdlog::warn("warning: {}: {}", model, sentence);
    }
    out.report.not_run += (out.report.not_run.empty() ? "" : "\n") + sentence;
  }
}

}  // namespace

ModelRun run_model(const ModelRunOptions& options, const FoundInput& found, SharedInputs& shared) {
  ModelNetsInput nets = load_nets(options, found, shared);
  const NetTemplate& first = *nets.nets.front();
  if (options.cold && !walks_programs(first)) {
    fail_usage("--cold: net " + first.name + " does not model caches; use --net sm");
  }
  refuse_reasons_without_programs(options, nets);
  ModelRun run;
  run.report.net_was_given = !options.input.net.empty();
  run.report.not_run = nets.not_run;
  if (options.cold) {
    run.cold = std::make_unique<RecordedPoint>(when_cold(*nets.input->point));
  }
  const NetRunner runner(options, nets, run.cold.get(), shared);
  runner.run(first, run);
  for (std::size_t i = 1; i < nets.nets.size(); ++i)
    run_beside(runner, *nets.nets[i], found.path, run);
  run.input = std::move(nets.input);
  run.nets = std::move(nets.nets);
  return run;
}

}  // namespace pnsim
