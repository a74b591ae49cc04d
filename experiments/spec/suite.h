// A spec with everything it names loaded: models, net template, device. Predicts its points.
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
  // Loads the kernel model of every program. Error 3 for a model or net that is not there, error 4
  // naming the first point that was not recorded. `net` and `device` are those of the spec unless
  // they are given; of another net, reference and grid keep only parameters that it has.
  explicit Suite(Spec spec, const std::string& net = "", const DeviceProfile* device = nullptr);

  const Spec& spec() const { return spec_; }
  const std::vector<SuitePoint>& points() const { return points_; }
  const DeviceProfile& device() const { return device_; }
  const std::string& net() const { return net_template_.name; }
  bool step_is_cycle() const { return net_template_.step_is_cycle; }
  const KernelModel& model(const std::string& program) const { return *models_.at(program); }

  // All parameters of the net but those that launches fill in, with `overrides` laid over the
  // models'. Error 2 for an unknown one; error 3 when the models do not agree, since one scale must
  // do for all of them.
  ParameterValues net_parameters(const ParameterValues& overrides) const;

  // [point], all in one call: equal waves are simulated once.
  std::vector<Prediction> predict_all(const ParameterValues& overrides,
                                      const RunOptions& options) const;

 private:
  void leave_out_what_the_net_lacks();
  void make_cold();
  std::vector<PointRequest> requests(const ParameterValues& overrides) const;

  Spec spec_;
  std::vector<SuitePoint> points_;
  DeviceProfile device_;
  NetTemplate net_template_;
  std::map<std::string, std::unique_ptr<KernelModel>> models_;
  std::vector<std::unique_ptr<RecordedPoint>> cold_;  // [point] of a spec of cold times; else empty
};

NetTemplate load_net(const std::string& name_or_path);

// "S=4 l1=20 l2=2"
std::string parameters_text(const ParameterValues& parameters);
// {"S": 4, "l1": 20, "l2": 2}; each has one value.
Json parameters_json(const ParameterValues& parameters);

}  // namespace pnsim::experiments
