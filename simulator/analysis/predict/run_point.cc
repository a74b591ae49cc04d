#include "simulator/analysis/predict/run_point.h"

#include <algorithm>

#include "simulator/base/table.h"
#include "simulator/model/sm/sm_parameters.h"

namespace pnsim {
namespace {

void append(std::vector<double>& to, const std::vector<double>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// Appends later replicas of the same run to earlier ones.
void append(ReplicaRuns& to, ReplicaRuns&& from) {
  if (to.runs.empty()) return void(to = std::move(from));
  std::move(from.runs.begin(), from.runs.end(), std::back_inserter(to.runs));
  to.outcome = std::min(to.outcome, from.outcome);
  add_conflicts(to.conflicts, from.conflicts);
}

template <class Columns>  // LaunchPrediction or Prediction
void append_columns(Columns& to, const Columns& from) {
  append(to.steps, from.steps);
  append(to.firings, from.firings);
  append(to.waiting_steps, from.waiting_steps);
  append(to.idle_scheduler_steps, from.idle_scheduler_steps);
  to.outcome = std::min(to.outcome, from.outcome);
}

void append(Prediction& to, Prediction&& from) {
  if (to.steps.empty()) return void(to = std::move(from));
  append_columns(to, from);
  append(to.steps_at_device_clock, from.steps_at_device_clock);
  for (std::size_t i = 0; i < to.launches.size(); ++i) {
    append_columns(to.launches[i], from.launches[i]);
    add_times(to.launches[i].reasons, from.launches[i].reasons);
    std::vector<double>& cycles = to.launches[i].segment_cycles;
    for (std::size_t s = 0; s < cycles.size(); ++s) cycles[s] += from.launches[i].segment_cycles[s];
  }
  add_conflicts(to.conflicts, from.conflicts);
}

std::vector<double> steps_of(const ReplicaRuns& runs) {
  std::vector<double> steps;
  for (const RunResult& run : runs.runs) steps.push_back(static_cast<double>(run.steps));
  return steps;
}

std::vector<double> steps_of(const Prediction& prediction) { return prediction.steps; }

// Runs the replicas, as many as the stopping rule demands if there is one. `result` must be empty.
template <class Report, class Result, class Run>
void run_replicas_of(Report& report, Result& result, const PointOptions& options, Run run) {
  report.options = options.run;
  if (!options.stopping) return void(result = run(report.options));
  const auto extend = [&](std::uint32_t first, std::uint32_t count) {
    RunOptions part = options.run;
    part.first_replica = first;
    part.replicas = count;
    append(result, run(part));
  };
  report.stopped = run_until_precise(*options.stopping, extend, [&] { return steps_of(result); });
  report.options.replicas = static_cast<std::uint32_t>(steps_of(result).size());
}

}  // namespace

ExitCode exit_code_of(Outcome worst, bool has_goal) {
  if (came_to_end(worst, has_goal)) return ExitCode::kOk;
  return worst == Outcome::kLimit ? ExitCode::kLimit : ExitCode::kCheckFailed;
}

namespace {

ExitCode exit_code(Outcome outcome, bool has_goal, const std::optional<Stopped>& stopped) {
  const ExitCode code = exit_code_of(outcome, has_goal);
  return code == ExitCode::kOk && stopped && !stopped->reached ? ExitCode::kCheckFailed : code;
}

// When a step is one cycle, the clock gives its time. A fitted scale is valid only for the
// parameters that it was fitted with. Runs that were cut off, or stopped before the net's goal,
// have no time.
std::optional<TimeScale> scale_of(const PointRequest& request, const Prediction& prediction,
                                  const RecordedResults& recorded) {
  if (!came_to_end(prediction.outcome, !request.net_template->until.empty())) return std::nullopt;
  if (request.net_template->step_is_cycle) {
    const double mhz = request.device->positive("clock_mhz");
    return TimeScale{1 / mhz, "one step is one cycle at " + significant(mhz, 4) + " MHz"};
  }
  return recorded.scale(request.net_template->name, prediction.net_parameters);
}

std::vector<LaunchReasons> launch_reasons(const PointRequest& request,
                                          const Prediction& prediction) {
  std::vector<LaunchReasons> out;
  for (std::size_t i = 0; i < prediction.launches.size(); ++i) {
    const LaunchPrediction& launch = prediction.launches[i];
    out.push_back({&request.point->launches[i], request.device, launch.reasons,
                   static_cast<double>(launch.steps.size()),
                   count_factors(count_changes(request), request.point->launches[i])});
  }
  return out;
}

// Whether the request changes counts of the program, or parameters of the net: no GPU ran this.
bool is_what_if(const PointRequest& request) {
  if (count_changes(request) != CountChanges{}) return true;
  PointRequest own = request;
  own.net_parameters.clear();
  own.factors.clear();
  const ParameterFactors factors = given_parameters(request).of_each_launch;
  return std::any_of(factors.begin(), factors.end(), [](const auto& f) { return f.second != 1; }) ||
         net_parameters(request) != net_parameters(own);
}

void add_reasons(const PointRequest& request, ModelRunReport& report) {
  const std::vector<LaunchReasons> launches = launch_reasons(request, report.prediction);
  report.reasons = reasons_of(*request.net_template, launches);
  for (const LaunchReasons& launch : launches) {
    report.launch_reasons.push_back(reasons_of(*request.net_template, std::vector{launch}));
  }
}

}  // namespace

NetRunReport run_net_point(const Net& net, const std::string& input,
                           const ParameterValues& parameters, const PointOptions& options) {
  NetRunReport report;
  report.net = &net;
  report.input = input;
  report.parameters = parameters;
  run_replicas_of(report, report.result, options,
                  [&](const RunOptions& run) { return run_replicas(net, run); });
  return report;
}

void add_reasons(const NetTemplate& net_template, NetRunReport& report) {
  ReasonTimes times;
  add_times(times, report.result, 1);
  report.reasons = reasons_of(net_template, times);
}

ModelRunReport run_model_point(const PointRequest& request, const PointOptions& options,
                               const RecordedResults& recorded, const std::string& mode) {
  ModelRunReport report;
  report.mode = mode;
  report.model = request.model;
  report.device = request.device;
  report.net = request.net_template->name;
  report.step_is_cycle = request.net_template->step_is_cycle;
  run_replicas_of(report, report.prediction, options,
                  [&](const RunOptions& run) { return predict({request}, run).front(); });
  report.scale = scale_of(request, report.prediction, recorded);
  report.calibrate = calibrate_command(request, report.prediction.net_parameters);
  if (!report.scale) report.has_times = has_recorded_times(request.device->name);
  report.is_in_place = is_in_place(*request.point);
  report.is_what_if = is_what_if(request);
  if (!report.is_what_if) {
    report.measured = recorded.time(request.model->name, request.point->problem, mode);
  }
  if (options.run.count_reasons) add_reasons(request, report);
  report.warnings = warnings_of_point(*request.model, *request.point,
                                      walks_programs(*request.net_template), *request.device);
  const auto predicted = predicted_us(report), profiled = profiled_us(report);
  if (predicted && profiled && !report.measured) {
    if (auto far = warning_of_distance(*predicted, *profiled)) report.warnings.push_back(*far);
  }
  return report;
}

ExitCode exit_code_of(const NetRunReport& report) {
  return exit_code(report.result.outcome, report.net->has_goal(), report.stopped);
}

ExitCode exit_code_of(const ModelRunReport& report, const NetTemplate& net_template) {
  return exit_code(report.prediction.outcome, !net_template.until.empty(), report.stopped);
}

}  // namespace pnsim
