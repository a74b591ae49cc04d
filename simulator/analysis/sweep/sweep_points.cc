#include "simulator/analysis/sweep/sweep_points.h"

#include <algorithm>
#include <set>

#include "simulator/analysis/sweep/sweep_id.h"
#include "simulator/base/error.h"
#include "simulator/base/hash.h"
#include "simulator/base/nearest.h"
#include "simulator/model/launch/launch_shape.h"

namespace pnsim {

// One point, ready to run.
struct SweepPoints::Settings {
  std::size_t net = 0;     // index in SweepInput::templates
  std::size_t device = 0;  // index in SweepInput::devices
  Problem problem;
  ParameterValues parameters;
  ParameterFactors factors;
};

namespace {

bool is_factor_name(const std::string& axis) { return axis.ends_with('*'); }

// The parameter that the axis changes: "l1" for "l1" and for "l1*".
std::string parameter_of(const std::string& axis) {
  return is_factor_name(axis) ? axis.substr(0, axis.size() - 1) : axis;
}

std::vector<double> factors_of(const Axis& axis) {
  std::vector<double> out;
  for (const std::string& text : axis.values) {
    const auto factor = parse_factor(text);
    if (!factor) fail_input("axis " + axis.name, "found \"" + text + "\", " + kFactorExpected);
    if (std::find(out.begin(), out.end(), *factor) != out.end()) {
      fail_usage("axis " + axis.name + ": the factor " + text + " appears twice");
    }
    out.push_back(*factor);
  }
  return out;
}

}  // namespace

SweepPoints::SweepPoints(SweepInput input, std::vector<Axis> axes, PointOptions options)
    : input_(std::move(input)), axes_(std::move(axes)), options_(std::move(options)) {
  options_.run.log_conflicts = true;  // as in `pnsim run`: a row holds the same object
  for (const Axis& axis : axes_) kinds_.push_back(kind_of(axis));
  check_axes();
  count_ = point_count(axes_);
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    const bool is_whole = kinds_[a] == AxisKind::kProblem || kinds_[a] == AxisKind::kParameter;
    numbers_.push_back(is_whole ? axes_[a].integers() : std::vector<std::int64_t>{});
    const bool is_factor = kinds_[a] == AxisKind::kFactor;
    factors_.push_back(is_factor ? factors_of(axes_[a]) : std::vector<double>{});
  }
  check_values();
  if (input_.model) check_recorded();
  for (const DeviceProfile& device : input_.devices) {
    if (input_.model) recorded_.push_back(std::make_unique<RecordedResults>(device.name));
  }
  hash_ = hash();
}

SweepPoints::~SweepPoints() = default;

bool SweepPoints::has_goal() const {
  if (input_.net) return input_.net->has_goal();
  return !input_.until.empty() || !input_.templates[0].until.empty();
}

bool SweepPoints::is_changeable(const std::string& parameter) const {
  const auto has_it = [&](const NetTemplate& net) {
    return net.find_parameter(parameter) ||
           (input_.model && is_count(parameter) && takes_counts(net));
  };
  return !input_.templates.empty() &&
         std::all_of(input_.templates.begin(), input_.templates.end(), has_it);
}

void SweepPoints::check_factor_axis(const std::string& axis) const {
  const std::string parameter = parameter_of(axis);
  const std::string where = "axis \"" + axis + "\": ";
  if (parameter == "net" || parameter == "device") {
    fail_usage(where + parameter + " is a name, not a number: name the " + parameter +
               "s, such as -a " + parameter + "=[" + (parameter == "net" ? "wpnm" : "h200") + "]");
  }
  if (input_.model && (input_.model->problem.contains(parameter) || parameter == kBlockAxis)) {
    fail_usage(where + parameter + " is an axis of the problem: give its values, -a " + parameter +
               "=[...]");
  }
  if (!is_changeable(parameter)) return;  // kind_of() reports it
  for (const NetTemplate& net : input_.templates) {
    if (net.find_parameter(parameter)) check_has_quantity(net, parameter);
  }
}

SweepPoints::AxisKind SweepPoints::kind_of(const Axis& axis) const {
  if (is_factor_name(axis.name)) check_factor_axis(axis.name);
  if (axis.name == "device" && !input_.net) return AxisKind::kDevice;
  if (axis.name == "net" && input_.model) return AxisKind::kNet;
  if (input_.model && (input_.model->problem.contains(axis.name) || axis.name == kBlockAxis)) {
    return AxisKind::kProblem;
  }
  if (is_changeable(parameter_of(axis.name))) {
    return is_factor_name(axis.name) ? AxisKind::kFactor : AxisKind::kParameter;
  }
  if (input_.net) {
    fail_usage("axis \"" + axis.name + "\": " + input_.input +
               " is a net without parameters; only "
               "templates and kernel models have axes");
  }
  fail_usage("unknown axis \"" + axis.name + "\" of " + input_.input +
             suggestion(parameter_of(axis.name), known_axes()));
}

std::vector<std::string> SweepPoints::known_axes() const {
  std::vector<std::string> names;
  if (input_.model) names = input_.model->axes();
  if (!input_.templates.empty()) {
    for (const std::string& p : input_.templates[0].parameter_names()) names.push_back(p);
  }
  if (input_.model) {
    names.insert(names.end(), {kBlockAxis, "net"});
    names.insert(names.end(), count_names().begin(), count_names().end());
  }
  names.push_back("device");
  return names;
}

void SweepPoints::check_axes() const {
  std::set<std::string> names;
  for (const Axis& axis : axes_) {
    const std::string name = parameter_of(axis.name);
    if (!names.insert(name).second) fail_usage("the axis " + name + " is given twice");
    if (input_.problem.contains(name) || input_.parameters.contains(name) ||
        input_.factors.contains(name)) {
      fail_usage("\"" + name + "\" is an axis and set with --set: remove one of them");
    }
  }
}

// Checks each value of each parameter separately. Invalid combinations are found when they are run.
void SweepPoints::check_values() const {
  for (std::size_t net = 0; net < input_.templates.size(); ++net) {
    Settings settings{net, 0, {}, input_.parameters, input_.factors};
    parameters_of(settings);
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      const std::string name = parameter_of(axes_[a].name);
      Settings one = settings;
      for (const std::int64_t value : numbers_[a]) {
        if (kinds_[a] != AxisKind::kParameter) break;
        one.parameters[name] = {value};
        parameters_of(one);
      }
      for (const double factor : factors_[a]) {
        one.factors[name] = factor;
        parameters_of(one);
      }
    }
  }
}

ParameterValues SweepPoints::parameters_of(const Settings& settings) const {
  const NetTemplate& net = input_.templates[settings.net];
  if (input_.model) {
    const PointRequest request{&*input_.model,
                               &net,
                               &input_.devices[settings.device],
                               nullptr,
                               settings.parameters,
                               {},
                               {},
                               settings.factors};
    count_changes(request);  // checks their values
    return net_parameters(request);
  }
  ParameterValues given;
  if (!input_.devices.empty()) given = device_parameters(net, input_.devices[settings.device]);
  for (const auto& [name, values] : settings.parameters) given[name] = values;
  multiply_parameters(net, settings.factors, given);
  return resolve_parameters(net, given);
}

// Checks every combination of the problem's axes, on every device.
void SweepPoints::check_recorded() const {
  std::vector<Axis> axes;
  std::vector<std::vector<std::int64_t>> numbers;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    if (kinds_[a] != AxisKind::kProblem) continue;
    axes.push_back(axes_[a]);
    numbers.push_back(numbers_[a]);
  }
  for (std::uint64_t i = 0; i < point_count(axes); ++i) {
    const std::vector<std::size_t> at = point_at(axes, i);
    Problem problem = input_.problem;
    for (std::size_t a = 0; a < axes.size(); ++a) problem[axes[a].name] = numbers[a][at[a]];
    for (const DeviceProfile& device : input_.devices) {
      refuse_large_block(problem, device);
      shaped_point(*input_.model, problem, device);
    }
  }
}

std::vector<std::string> SweepPoints::axis_heads() const {
  std::vector<std::string> heads;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    std::string unit;
    if (kinds_[a] == AxisKind::kFactor) unit = "factor";
    if (kinds_[a] == AxisKind::kProblem) unit = unit_of_axis(axes_[a].name);
    if (kinds_[a] == AxisKind::kParameter) {
      const ParameterSpec* spec = input_.templates[0].find_parameter(axes_[a].name);
      unit = spec ? spec->unit : "instructions";
    }
    heads.push_back(head_of(axes_[a].name, unit));
  }
  return heads;
}

std::vector<std::string> SweepPoints::scale_parameters() const {
  std::set<std::string> names;
  if (!input_.model || input_.devices.empty()) return {};
  for (const NetTemplate& net : input_.templates) {
    const ParameterValues of_device = device_parameters(net, input_.devices[0]);
    for (const std::string& name : net.parameter_names()) {
      const bool is_changed = input_.parameters.contains(name) || input_.factors.contains(name) ||
                              std::any_of(axes_.begin(), axes_.end(), [&](const Axis& axis) {
                                return parameter_of(axis.name) == name;
                              });
      if (!is_count(name) && (is_changed || !of_device.contains(name))) names.insert(name);
    }
  }
  return {names.begin(), names.end()};
}

std::string SweepPoints::hash() const {
  Json what;
  what["law"] = kLawVersion;
  what["row"] = kRowVersion;
  what["input"] = input_.input;
  what["content"] = input_.content;
  for (const NetTemplate& net : input_.templates) what["nets"].push_back(net.name);
  for (const DeviceProfile& device : input_.devices) what["devices"].push_back(device.name);
  what["until"] = input_.until;
  what["problem"] = input_.problem;
  what["parameters"] = input_.parameters;
  if (!input_.factors.empty()) what["factors"] = input_.factors;
  for (const Axis& axis : axes_) {
    what["axes"].push_back(Json{{"name", axis.name}, {"values", axis.values}});
  }
  what["seed"] = options_.run.seed;
  what["engine"] = engine_name(options_.run.engine);
  what["max_steps"] = options_.run.max_steps;
  what["replicas"] = options_.stopping ? options_.stopping->max_replicas : options_.run.replicas;
  if (options_.stopping) what["rel_error"] = options_.stopping->rel_error;
  for (const auto& recorded : recorded_) {  // the rows of a model contain its times and scales
    std::string rows;
    for (const InputJson& row : recorded->rows()) rows += row.dump() + "\n";
    what["recorded"].push_back(hash_id(rows));
  }
  return hash_id(to_line(what));
}

Json SweepPoints::axes_json(std::uint64_t point) const {
  const std::vector<std::size_t> at = point_at(axes_, point);
  Json out = Json::object();
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    Json& value = out[axes_[a].name];
    value = axes_[a].values[at[a]];
    if (!numbers_[a].empty()) value = numbers_[a][at[a]];
    if (!factors_[a].empty()) value = factors_[a][at[a]];
  }
  return out;
}

std::string SweepPoints::head(std::uint64_t point) const {
  const Json head{{"id", SweepRowId{hash_, point, count_}.text()}, {"axes", axes_json(point)}};
  std::string text = to_line(head);
  text.back() = ',';
  return text;
}

SweepPoints::Settings SweepPoints::settings_at(std::uint64_t point) const {
  Settings out{0, 0, input_.problem, input_.parameters, input_.factors};
  const std::vector<std::size_t> at = point_at(axes_, point);
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    switch (kinds_[a]) {
      case AxisKind::kNet:
        out.net = at[a];
        break;
      case AxisKind::kDevice:
        out.device = at[a];
        break;
      case AxisKind::kProblem:
        out.problem[axes_[a].name] = numbers_[a][at[a]];
        break;
      case AxisKind::kParameter:
        out.parameters[axes_[a].name] = {numbers_[a][at[a]]};
        break;
      case AxisKind::kFactor:
        out.factors[parameter_of(axes_[a].name)] = factors_[a][at[a]];
        break;
    }
  }
  return out;
}

SweptRow SweepPoints::run(std::uint64_t point, unsigned threads) const {
  PointOptions options = options_;
  options.run.threads = threads;
  const Settings settings = settings_at(point);
  SweptRow out;
  const Json row =
      input_.model ? run_model(settings, options, out) : run_net(settings, options, out.code);
  out.line = head(point) + to_line(row).substr(1) + "\n";
  if (input_.model) out.shape = shape_of(point, row, out.ended);
  return out;
}

std::optional<BestBlocks::Row> SweepPoints::shape_of(std::uint64_t point, const Json& row,
                                                     bool ended) const {
  const Json axes = axes_json(point);
  if (!axes.contains(kBlockAxis)) return std::nullopt;
  BestBlocks::Row out{
      "",
      axes[kBlockAxis].get<std::int64_t>(),
      row["steps"]["mean"].get<double>(),
      row["time_us"]["value"].is_number() ? row["time_us"]["value"].get<double>() : 0,
      row["launch_shape"]["source"] == "what-if",
      ended};
  for (const auto& [axis, value] : axes.items()) {
    if (axis == kBlockAxis) continue;
    out.others += (out.others.empty() ? "" : " ") + axis + "=" +
                  (value.is_string() ? value.get<std::string>() : value.dump());
  }
  return out;
}

Json SweepPoints::run_net(const Settings& settings, const PointOptions& options,
                          ExitCode& code) const {
  ParameterValues used;
  std::optional<Net> made;
  if (!input_.net) {
    used = parameters_of(settings);
    made = instantiate(input_.templates[0], used);
    if (!input_.until.empty()) made = made->with_goal(parse_goal(*made, input_.until));
  }
  const NetRunReport report =
      run_net_point(made ? *made : *input_.net, input_.input, used, options);
  code = exit_code_of(report);
  return to_json(report);
}

Json SweepPoints::run_model(const Settings& settings, const PointOptions& options,
                            SweptRow& out) const {
  const NetTemplate& net = input_.templates[settings.net];
  const DeviceProfile& device = input_.devices[settings.device];
  const ShapedPoint shaped = shaped_point(*input_.model, settings.problem, device);
  const PointRequest request{&*input_.model,      &net, &device, &shaped.point(),
                             settings.parameters, {},   {},      settings.factors};
  const ModelRunReport report = run_model_point(request, options, *recorded_[settings.device]);
  out.code = exit_code_of(report, net);
  out.ended = came_to_end(report.prediction.outcome, !net.until.empty());
  Json row = to_json(report);
  if (settings.problem.contains(kBlockAxis)) row["launch_shape"] = launch_shape_json(shaped);
  return row;
}

}  // namespace pnsim
