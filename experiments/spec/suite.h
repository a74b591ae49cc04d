// A spec with all models, the net template and the device that it names. Predicts its points.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "experiments/spec/spec.h"
#include "simulator/analysis/predict/predict.h"

namespace pnsim::experiments {

class Suite {
 public:
  // Loads the kernel model of every program. `net` and `device` replace those of the spec when they
  // are given; with another net, reference and grid keep only the parameters that it has. Throws
  // error 3 for a missing model or net and error 4 for the first point that was not recorded.
  explicit Suite(Spec spec, const std::string& net = "", const DeviceProfile* device = nullptr);

  const Spec& spec() const { return spec_; }
  const std::vector<SuitePoint>& points() const { return points_; }
  const DeviceProfile& device() const { return device_; }
  const std::string& net() const { return net_template_.name; }
  bool step_is_cycle() const { return net_template_.step_is_cycle; }
  const KernelModel& model(const std::string& program) const { return *models_.at(program); }

  // All parameters of the net except those that launches provide; `overrides` take precedence over
  // the models. Throws error 2 for an unknown parameter, and error 3 when the models disagree,
  // because one scale must serve all of them.
  ParameterValues net_parameters(const ParameterValues& overrides) const;

  // Predicts all points in one call, so that equal waves are simulated once. [point]
  std::vector<Prediction> predict_all(const ParameterValues& overrides,
                                      const RunOptions& options) const;

 private:
  void drop_missing_parameters();
  void make_cold();
  std::vector<PointRequest> requests(const ParameterValues& overrides) const;

  Spec spec_;
  std::vector<SuitePoint> points_;
  DeviceProfile device_;
  NetTemplate net_template_;
  std::map<std::string, std::unique_ptr<KernelModel>> models_;
  std::vector<std::unique_ptr<RecordedPoint>> cold_;  // [point] of a cold spec; otherwise empty
};

NetTemplate load_net(const std::string& name_or_path);

// Example: "S=4 l1=20 l2=2".
std::string parameters_text(const ParameterValues& parameters);
// Example: {"S": 4, "l1": 20, "l2": 2}. Each parameter must have one value.
Json parameters_json(const ParameterValues& parameters);

}  // namespace pnsim::experiments
