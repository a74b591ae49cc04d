#include "simulator/analysis/predict/against_default.h"

#include <algorithm>

#include "simulator/analysis/runs/estimate.h"

namespace pnsim {
std::optional<AgainstDefault> against_default(const PointRequest& request,
                                              const RunOptions& options,
                                              const Prediction& changed) {
  const bool has_goal = !request.net_template->until.empty();
  if (request.net_parameters.empty() && request.factors.empty()) return std::nullopt;
  if (!came_to_end(changed.outcome, has_goal)) return std::nullopt;
  PointRequest own = request;
  own.net_parameters.clear();
  own.factors.clear();
  RunOptions run = options;
  run.log_conflicts = run.count_reasons = false;
  const Prediction base = predict({own}, run).front();
  if (!came_to_end(base.outcome, has_goal)) return std::nullopt;
  AgainstDefault out;
  for (const auto& [name, values] : base.net_parameters) {
    const auto now = changed.net_parameters.find(name);
    if (now == changed.net_parameters.end() || now->second != values) out.parameters[name] = values;
  }
  const auto note_own = [&](const std::string& name) {
    if (!base.net_parameters.contains(name)) out.own.push_back(name);
  };
  for (const auto& [name, values] : request.net_parameters) note_own(name);
  for (const auto& [name, factor] : request.factors) note_own(name);
  std::vector<double> differences;
  for (std::size_t r = 0; r < changed.steps.size(); ++r) {
    differences.push_back(changed.steps[r] - base.steps.at(r));
  }
  const Estimate change = estimate_of(differences);
  out.steps = base.mean_steps();
  out.change = change.mean;
  if (change.ci95) out.half_width = (change.ci95->high - change.ci95->low) / 2;
  return out;
}

std::string calibrate_command(const PointRequest& request, const ParameterValues& parameters) {
  std::string text = "experiment calibrate --net " + request.net_template->name + " --device " +
                     request.device->name;
  const ParameterValues of_device = device_parameters(*request.net_template, *request.device);
  for (const auto& [name, values] : parameters) {
    if (values.size() != 1) return "";
    const auto own = of_device.find(name);
    if (own != of_device.end() && own->second == values) continue;
    text += " -a " + name + "=" + std::to_string(values[0]);
  }
  return text;
}

std::string calibrate_effect(const std::string& device) {
  return "That scale is refitted to the measured times of the " + device +
         " as it is: compare steps of changed parameters, not times. The command stores it in "
         "results/" +
         device +
         "/time_scale.jsonl of the data folder, and later predictions use it; --out FILE stores it "
         "elsewhere, where no prediction uses it.";
}

}  // namespace pnsim
