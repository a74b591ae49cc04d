#include "simulator/analysis/predict/run_report.h"

#include <algorithm>
#include <numeric>

#include "simulator/analysis/predict/expected_time.h"
#include "simulator/analysis/runs/estimate.h"

namespace pnsim {
namespace {

Json conflicts_json(const ConflictCounts& conflicts) {
  Json out = Json::array();
  for (const auto& [place, count] : conflicts) {
    out.push_back(Json{{"place", place},
                       {"transitions", count.transitions},
                       {"times", count.times},
                       {"won", count.won}});
  }
  return out;
}

Json final_json(const Net& net, const Marking& marking) {
  Json out = Json::object();
  auto& members = out.get_ref<Json::object_t&>();  // appending takes linear time for large markings
  for (std::uint32_t p = 0; p < marking.size(); ++p) {
    if (marking[p] != 0) members.push_back({net.name_of(PlaceId{p}), marking[p]});
  }
  return out;
}

Json runs_json(const Net& net, const std::vector<RunResult>& runs) {
  Json out = Json::array();
  for (std::size_t i = 0; i < std::min(runs.size(), kMaxFinalMarkings); ++i) {
    const RunResult& run = runs[i];
    out.push_back(Json{{"replica", run.id.replica},
                       {"stream", run.id.stream},
                       {"outcome", outcome_name(run.outcome)},
                       {"steps", run.steps},
                       {"firings", run.firings},
                       {"final", final_json(net, run.final_marking)}});
  }
  return out;
}

template <class Get>
std::vector<double> column(const std::vector<RunResult>& runs, Get get) {
  std::vector<double> out;
  for (const RunResult& run : runs) out.push_back(static_cast<double>(get(run)));
  return out;
}

std::optional<Estimate> optional_column(const std::vector<RunResult>& runs,
                                        std::optional<std::uint64_t> RunResult::*member) {
  if (!(runs.front().*member)) return std::nullopt;
  return estimate_of(column(runs, [&](const RunResult& run) { return *(run.*member); }));
}

Json json_or_null(const std::optional<Estimate>& estimate) {
  return estimate ? to_json(*estimate) : Json(nullptr);
}

// The breakdown as shares of the steps.
Json breakdown_json(double steps, double waiting, double idle, double schedulers) {
  Json out = Json::object();
  if (steps <= 0) return out;
  out["waiting_share"] = waiting / steps;
  if (schedulers > 0) out["idle_scheduler_share"] = idle / (steps * schedulers);
  return out;
}

Json head_json(const std::string& model, const std::string& net, const Json& device,
               const RunOptions& options, const std::optional<Stopped>& stopped) {
  Json out;
  out["model"] = model;
  out["net"] = net;
  out["device"] = device;
  out["engine"] = engine_name(options.engine);
  out["seed"] = options.seed;
  out["replicas"] = options.replicas;
  if (stopped) out["stopping"] = to_json(*stopped);
  return out;
}

double schedulers_of(const Net& net) {
  const auto pool = net.observables().scheduler_pool;
  return pool ? static_cast<double>(net.initial_marking()[pool->value]) : 0;
}

Json launch_json(const LaunchPrediction& launch, const std::optional<TimeScale>& scale) {
  Json out;
  out["kernel"] = launch.kernel;
  if (!launch.template_arguments.empty()) out["template_arguments"] = launch.template_arguments;
  out["repeat"] = launch.repeat;
  out["grid"] = launch.grid;
  out["block"] = launch.block;
  out["waves"] = launch.waves();
  out["steps"] = to_json(estimate_of(launch.steps));
  out["time_us"] =
      scale ? Json(mean(launch.steps) * launch.slowdown * scale->us_per_step) : Json(nullptr);
  if (launch.clock_mhz > 0) out["clock_mhz"] = launch.clock_mhz;
  if (launch.sm_blocks > 0) {
    out["blocks"] = Json{{"sm", launch.sm_blocks},
                         {"simulated", launch.simulated_blocks},
                         {"error_bound", launch.left_out_error}};
  }
  return out;
}

// The segments' shares of the cycles that resident warps spend in segments.
Json segments_json(const std::vector<double>& cycles) {
  const double all = std::accumulate(cycles.begin(), cycles.end(), 0.0);
  Json out = Json::array();
  for (std::size_t s = 0; s < cycles.size(); ++s) {
    out.push_back(Json{{"segment", s}, {"share", all > 0 ? cycles[s] / all : 0}});
  }
  return out;
}

Json time_json(const ModelRunReport& report) {
  if (!report.scale) return Json{{"value", nullptr}, {"source", nullptr}};
  Json out{{"value", *predicted_us(report)}, {"source", scale_source(report)}};
  if (has_borrowed_scale(report)) out["borrowed"] = true;
  return out;
}

Json against_default_json(const AgainstDefault& against) {
  return Json{{"parameters", parameters_json(against.parameters)},
              {"steps", against.steps},
              {"change", against.change},
              {"half_width_95", against.half_width ? Json(*against.half_width) : Json(nullptr)},
              {"change_percent", against.percent()}};
}

double schedulers_of(const ModelRunReport& report) {
  const auto it = report.prediction.net_parameters.find("S");
  return it == report.prediction.net_parameters.end() ? 0 : static_cast<double>(it->second[0]);
}

}  // namespace

Json parameters_json(const ParameterValues& parameters) {
  Json out = Json::object();
  for (const auto& [name, values] : parameters) {
    out[name] = values.size() == 1 ? Json(values[0]) : Json(values);
  }
  return out;
}

std::optional<double> predicted_us(const ModelRunReport& report) {
  if (!report.scale) return std::nullopt;
  return report.prediction.mean_steps_at_device_clock() * report.scale->us_per_step;
}

std::optional<double> profiled_us(const ModelRunReport& report) {
  if (report.model->device != report.device->name) return std::nullopt;  // profiled on another GPU
  if (report.is_what_if) return std::nullopt;  // another program or another GPU was profiled
  const Json& provenance = report.model->provenance;
  const auto profiled = provenance.find("profiled_us");
  const bool is_its = report.mode == "warm" && report.model->points.size() == 1;
  if (!is_its || profiled == provenance.end() || !profiled->is_number()) return std::nullopt;
  return profiled->get<double>();
}

namespace {

// The profiled time of a launch that is predicted in its program and has no measured time; nothing
// for other predictions.
std::optional<double> profiled_in_place(const ModelRunReport& report) {
  const auto& launches = report.prediction.launches;
  const bool is_one = launches.size() == 1 && launches.front().repeat == 1;
  // A file of the user may estimate another GPU under the name of the profiled one.
  const bool is_profiled_gpu = report.device->estimate.empty();
  if (!is_one || !report.is_in_place || !report.step_is_cycle || !is_profiled_gpu ||
      report.measured)
    return std::nullopt;
  return profiled_us(report);
}

}  // namespace

std::optional<double> unprofiled_us(const ModelRunReport& report) {
  const std::optional<double> profiled = profiled_in_place(report);
  return profiled ? unprofiled_us(*report.device, *profiled) : std::nullopt;
}

std::optional<double> expected_us(const ModelRunReport& report) {
  if (const std::optional<double> us = unprofiled_us(report)) return us;
  const bool is_known = profiled_in_place(report) && profiler_adds_us(*report.device);
  return is_known ? predicted_us(report) : std::nullopt;
}

std::string profiled_elsewhere_text(const ModelRunReport& report) {
  if (report.model->device == report.device->name) return "";
  return "counts are those of " + report.model->device + ", where the kernel was profiled; the " +
         (report.measured ? "predicted and the measured time are those of "
                          : "predicted time is that of ") +
         report.device->name;
}

bool has_borrowed_scale(const ModelRunReport& report) {
  if (!report.scale || report.scale->programs.empty()) return false;
  const std::vector<std::string>& programs = report.scale->programs;
  return std::find(programs.begin(), programs.end(), report.model->name) == programs.end();
}

std::string scale_source(const ModelRunReport& report) {
  if (!has_borrowed_scale(report)) return report.scale->source;
  return report.scale->source + ", borrowed: fitted to " + programs_text(*report.scale);
}

Json to_json(const NetRunReport& report) {
  const std::vector<RunResult>& runs = report.result.runs;
  const auto steps = estimate_of(column(runs, [](const RunResult& r) { return r.steps; }));
  const auto waiting = optional_column(runs, &RunResult::waiting_steps);
  const auto idle = optional_column(runs, &RunResult::idle_scheduler_steps);
  Json out = head_json(report.input, report.net->name(), nullptr, report.options, report.stopped);
  out["parameters"] = parameters_json(report.parameters);
  out["outcome"] = outcome_name(report.result.outcome);
  out["steps"] = to_json(steps);
  out["firings"] = to_json(estimate_of(column(runs, [](const RunResult& r) { return r.firings; })));
  out["waiting_steps"] = json_or_null(waiting);
  out["idle_scheduler_steps"] = json_or_null(idle);
  out["runs"] = runs_json(*report.net, runs);
  out["time_us"] = Json{{"value", nullptr}, {"source", nullptr}};
  out["breakdown"] = waiting && idle ? breakdown_json(steps.mean, waiting->mean, idle->mean,
                                                      schedulers_of(*report.net))
                                     : Json::object();
  if (report.reasons) add_json(*report.reasons, out["breakdown"]);
  out["conflicts"] = conflicts_json(report.result.conflicts);
  return out;
}

Json to_json(const ModelRunReport& report) {
  const Prediction& p = report.prediction;
  Json out = head_json(report.model->name, report.net, report.device->name, report.options,
                       report.stopped);
  if (report.model->device != report.device->name) out["profiled_on"] = report.model->device;
  if (!report.device->estimate.empty()) out["device_estimate"] = report.device->estimate;
  out["parameters"] = parameters_json(p.net_parameters);
  for (const auto& [name, values] : p.counts) out["parameters"][name] = values[0];
  for (const auto& [axis, value] : p.problem) out["parameters"][axis] = value;
  if (!p.factors.empty()) out["factors"] = p.factors;
  out["outcome"] = outcome_name(p.outcome);
  out["steps"] = to_json(estimate_of(p.steps));
  out["firings"] = to_json(estimate_of(p.firings));
  out["waiting_steps"] = p.counts_waiting ? to_json(estimate_of(p.waiting_steps)) : Json(nullptr);
  out["idle_scheduler_steps"] =
      p.counts_idle ? to_json(estimate_of(p.idle_scheduler_steps)) : Json(nullptr);
  out["launches"] = Json::array();
  for (const LaunchPrediction& launch : p.launches) {
    out["launches"].push_back(launch_json(launch, report.scale));
  }
  for (std::size_t i = 0; i < report.launch_reasons.size(); ++i) {
    Json& breakdown = out["launches"][i]["breakdown"];
    add_json(report.launch_reasons[i], breakdown);
    const std::vector<double>& cycles = p.launches[i].segment_cycles;
    if (!cycles.empty()) breakdown["segments"] = segments_json(cycles);
  }
  if (report.mode != "warm") out["mode"] = report.mode;
  out["time_us"] = time_json(report);
  out["measured_us"] = report.measured ? Json{{"value", report.measured->median_us},
                                              {"p05", report.measured->p05_us},
                                              {"p95", report.measured->p95_us},
                                              {"source", report.measured->source}}
                                       : Json(nullptr);
  if (const std::optional<double> us = expected_us(report)) out["expected_us"] = *us;
  if (const auto count = stands_for(*report.model)) out["stands_for"] = *count;
  Json breakdown = breakdown_json(p.mean_steps(), mean(p.waiting_steps),
                                  mean(p.idle_scheduler_steps), schedulers_of(report));
  for (const LaunchPrediction& launch : p.launches) {
    Json& share = breakdown["kernels"][launch.kernel];
    const double steps = static_cast<double>(launch.repeat) * mean(launch.steps) / p.mean_steps();
    share = (share.is_null() ? 0.0 : share.get<double>()) + steps;
  }
  if (report.reasons) add_json(*report.reasons, breakdown);
  out["breakdown"] = std::move(breakdown);
  out["conflicts"] = conflicts_json(p.conflicts);
  out["warnings"] = to_json(report.warnings);
  if (report.against_default)
    out["against_default"] = against_default_json(*report.against_default);
  return out;
}

}  // namespace pnsim
