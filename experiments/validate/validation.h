// The points that predictors are judged on: measured times of programs that are known.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "experiments/spec/spec.h"
#include "simulator/analysis/predict/prediction_warnings.h"
#include "simulator/analysis/predict/recorded.h"
#include "simulator/model/device/device_profile.h"

namespace pnsim::experiments {

// One execution of a program (all its launches) at one point, with its time in one mode.
struct ValidationPoint {
  std::string suite;  // name of the spec; points of one suite and mode share a time per step
  std::string program;
  std::string at;             // "block=256 n=4096": the point within the program, for tables
  Json axes;                  // the same as JSON: {"block": 256, "n": 4096}
  std::string problem;        // the part of it that determines the work: "n=4096"
  std::string configuration;  // the part that determines the launch: "block=256"
  bool is_training = false;
  std::string mode;           // "warm", "cold"
  ParameterValues reference;  // reference parameters of the spec's own net
  const KernelModel* model = nullptr;
  const RecordedPoint* launches = nullptr;
  MeasuredTime measured;
  PredictionWarnings warnings;          // of the user's points: what a prediction does not cover
  std::string template_arguments = {};  // of a user's kernel, as the profiler prints them; or ""
  // What the user's launch represents in its program (own_times.h); 0: not said.
  double stands_for = 0, stands_for_us = 0;

  double measured_us() const { return measured.median_us; }
  // Points with equal keys do the same work; they may differ in their configuration.
  std::string work() const { return program + " " + mode + " " + problem; }
};

// Skipped points of a program, with the reason.
struct SkippedPoints {
  std::string program;
  std::size_t points = 0;
  std::string why;
};

// The source of the measured times.
struct TimesSource {
  std::string device;  // profile of the GPU on which they were measured: "h200"
  std::string brief;   // for titles: "recorded, h200"
  std::string line;    // the first and the last line of a report
  // A sentence where the predictions are for another GPU than the one of the times; else "".
  std::string other_gpu = {};
};

// The points with everything that they point to.
struct ValidationSet {
  TimesSource times;
  std::vector<std::string> specs;  // by name
  std::map<std::string, std::unique_ptr<KernelModel>> models;
  DeviceProfile device;
  std::vector<std::string> modes;
  std::vector<std::unique_ptr<RecordedPoint>> cold;  // the launches of points of mode "cold"
  std::vector<ValidationPoint> points;  // spec by spec, in the order of the specs; no duplicates
  // What all launches of the user's table represent, those without a model or a time included.
  double represented_launches = 0, represented_us = 0;
  bool may_fit = true;  // predictors may be fitted to times of training points
  std::vector<SkippedPoints> skipped;
};

// Collects the points of the specs whose models contain the programs of their warps and that have a
// time of the mode in `recorded`. `device` is the device to predict for. Throws error 3 for a
// missing model. When no point is left, throws error 4 and names the command that records them.
// `models` is the folder of the kernel models below data_root(). Those of another GPU than the
// shipped models' are in results/DEVICE/models; programs without a model there are skipped.
ValidationSet collect_points(const std::vector<Spec>& specs, const DeviceProfile& device,
                             const RecordedResults& recorded, const std::vector<std::string>& modes,
                             const std::string& models = "models");

}  // namespace pnsim::experiments
