// All recorded points whose programs are known, and what several predictors say of them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "experiments/spec.h"
#include "simulator/analysis/recorded.h"
#include "simulator/model/device_profile.h"

namespace pnsim::experiments {

// A program run: all its launches, at one point, with its time in one mode.
struct ValidationPoint {
  const Spec* spec = nullptr;
  SuitePoint point;
  std::string mode;  // "warm", "cold"
  const KernelModel* model = nullptr;
  const RecordedPoint* launches = nullptr;
  MeasuredTime measured;

  double measured_us() const { return measured.median_us; }
  // Program, mode and all axes but the spec's configuration: points of one key do the same work and
  // differ in how they are launched.
  std::string work() const;
};

// Points of a program that are not judged, and why not.
struct LeftOut {
  std::string program;
  std::size_t points = 0;
  std::string why;
};

// Owns what its points refer to.
struct ValidationSet {
  std::vector<std::unique_ptr<Spec>> specs;
  std::map<std::string, std::unique_ptr<KernelModel>> models;
  DeviceProfile device;
  std::vector<std::string> modes;
  std::vector<std::unique_ptr<RecordedPoint>> cold;  // what points of mode "cold" refer to
  std::vector<ValidationPoint> points;  // spec by spec, in the specs' order; none twice
  std::vector<LeftOut> left_out;
};

// The points of the specs that are in the models with the programs of their warps, and that have a
// time of the mode in `recorded`. `device` is the one to predict for. Error 3 for a model that is
// not there; error 4, with the way to get them, when no point is left.
ValidationSet collect_points(const std::vector<Spec>& specs, const DeviceProfile& device,
                             const RecordedResults& recorded,
                             const std::vector<std::string>& modes);

}  // namespace pnsim::experiments
