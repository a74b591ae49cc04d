#include "experiments/spec/suite.h"

#include <algorithm>

#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/model/memory/cold_launch.h"

namespace pnsim::experiments {

Suite::Suite(Spec spec, const std::string& net, const DeviceProfile* device)
    : spec_(std::move(spec)),
      points_(points_of(spec_)),
      device_(device ? *device : load_device_profile(spec_.device)),
      net_template_(load_net(net.empty() ? spec_.net : net)) {
  for (const std::string& program : spec_.axis("program").values) {
    const std::string path = find_data_file(program, {"models"});
    models_[program] = std::make_unique<KernelModel>(load_kernel_model(path));
  }
  for (const SuitePoint& point : points_) model(point.program).point(point.problem);
  if (net_template_.name != spec_.net) drop_missing_parameters();
  if (spec_.mode == "cold" && step_is_cycle()) make_cold();
}

// For nets whose step is one cycle. Other nets get a scale that is fitted to the cold times.
void Suite::make_cold() {
  for (const SuitePoint& point : points_) {
    const RecordedPoint& warm = model(point.program).point(point.problem);
    cold_.push_back(std::make_unique<RecordedPoint>(when_cold(warm)));
  }
}

// Removes parameters that the net lacks from the reference and the grid.
void Suite::drop_missing_parameters() {
  const auto lacks = [&](const std::string& name) { return !net_template_.find_parameter(name); };
  std::erase_if(spec_.reference, [&](const auto& entry) { return lacks(entry.first); });
  if (std::any_of(spec_.grid.begin(), spec_.grid.end(),
                  [&](const Axis& axis) { return lacks(axis.name); })) {
    spec_.grid.clear();
  }
}

std::vector<PointRequest> Suite::requests(const ParameterValues& overrides) const {
  std::vector<PointRequest> out;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const KernelModel& mine = model(points_[i].program);
    const RecordedPoint& point = cold_.empty() ? mine.point(points_[i].problem) : *cold_[i];
    out.push_back({&mine, &net_template_, &device_, &point, overrides, {}});
  }
  return out;
}

ParameterValues Suite::net_parameters(const ParameterValues& overrides) const {
  std::string first_program;
  ParameterValues first;
  for (const PointRequest& request : requests(overrides)) {
    const ParameterValues mine = pnsim::net_parameters(request);
    if (first_program.empty()) {
      first_program = request.model->name;
      first = mine;
    }
    if (mine != first) {
      fail_input("model " + request.model->name,
                 "its parameters of the net are " + parameters_text(mine) + ", those of " +
                     first_program + " are " + parameters_text(first) +
                     "; one time scale needs equal ones");
    }
  }
  return first;
}

std::vector<Prediction> Suite::predict_all(const ParameterValues& overrides,
                                           const RunOptions& options) const {
  return predict(requests(overrides), options);
}

NetTemplate load_net(const std::string& name_or_path) {
  return load_net_template(find_data_file(name_or_path, {"models/nets"}));
}

std::string parameters_text(const ParameterValues& parameters) {
  std::string text;
  for (const auto& [name, values] : parameters) {
    text += (text.empty() ? "" : " ") + name + "=" + std::to_string(values.at(0));
  }
  return text;
}

Json parameters_json(const ParameterValues& parameters) {
  Json out = Json::object();
  for (const auto& [name, values] : parameters) out[name] = values.at(0);
  return out;
}

}  // namespace pnsim::experiments
