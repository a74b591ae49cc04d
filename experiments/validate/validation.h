// Points with a measured time whose programs are known: what predictors are judged on.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "experiments/spec/spec.h"
#include "simulator/analysis/predict/recorded.h"
#include "simulator/model/device/device_profile.h"

namespace pnsim::experiments {

// A program run: all its launches, at one point, with its time in one mode.
struct ValidationPoint {
  std::string suite;  // the spec's name: points of one suite and mode share a time of a step
  std::string program;
  std::string at;             // "block=256 n=4096": the point within the program, for tables
  Json axes;                  // the same as data: {"block": 256, "n": 4096}
  std::string problem;        // what of it decides the work: "n=4096"
  std::string configuration;  // and how it is launched: "block=256"
  bool is_training = false;
  std::string mode;           // "warm", "cold"
  ParameterValues reference;  // of the spec's own net
  const KernelModel* model = nullptr;
  const RecordedPoint* launches = nullptr;
  MeasuredTime measured;

  double measured_us() const { return measured.median_us; }
  // Points of one key do the same work, and may differ in how they are launched.
  std::string work() const { return program + " " + mode + " " + problem; }
};

// Points of a program that are not judged, and why not.
struct LeftOut {
  std::string program;
  std::size_t points = 0;
  std::string why;
};

// Where measured times come from.
struct TimesSource {
  std::string device;  // profile of the GPU that they were taken on: "h200"
  std::string brief;   // in titles: "recorded, h200"
  std::string line;    // the first and the last line of a report
};

// Owns what its points refer to.
struct ValidationSet {
  TimesSource times;
  std::vector<std::string> specs;  // by name
  std::map<std::string, std::unique_ptr<KernelModel>> models;
  DeviceProfile device;
  std::vector<std::string> modes;
  std::vector<std::unique_ptr<RecordedPoint>> cold;  // what points of mode "cold" refer to
  std::vector<ValidationPoint> points;  // spec by spec, in the specs' order; none twice
  bool may_fit = true;                  // predictors, to the times of training points
  std::vector<LeftOut> left_out;
};

// The points of the specs that are in the models with the programs of their warps, and that have a
// time of the mode in `recorded`. `device` is the one to predict for. Error 3 for a model that is
// not there; error 4, with the way to get them, when no point is left.
ValidationSet collect_points(const std::vector<Spec>& specs, const DeviceProfile& device,
                             const RecordedResults& recorded,
                             const std::vector<std::string>& modes);

}  // namespace pnsim::experiments
