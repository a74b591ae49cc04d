// A kernel model: the launches of a program and what their warps execute (models/*.json).
// Counts are derived from a profile (derive.h), never typed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simulator/base/json_reader.h"
#include "simulator/model/launch/launch.h"
#include "simulator/model/template/parameter_values.h"

namespace pnsim {

using Problem = std::map<std::string, std::int64_t>;  // {"n": 1048576, "block": 256}

struct RecordedPoint {
  Problem problem;
  std::vector<Launch> launches;
};

struct KernelModel {
  std::string name;
  std::string description;
  std::string net;             // template by name
  std::string device;          // profile the counts and times belong to
  ParameterValues parameters;  // of the net, over the template's defaults
  Problem problem;             // the default point
  std::vector<RecordedPoint> points;
  Json provenance;  // from what, on which device, by which command, when

  std::vector<std::string> axes() const;  // names of the problem's axes

  // The point with `overrides` laid over the default problem. Error 4 with the nearest recorded
  // point when it was not recorded, error 2 for an axis the model does not have.
  const RecordedPoint& point(const Problem& overrides) const;
};

// models/schema/kernel_model.schema.json; error 3 with the place in the file.
KernelModel read_kernel_model(const JsonReader& json);
KernelModel load_kernel_model(const std::string& path);

// The file's text: one launch a line.
std::string kernel_model_text(const KernelModel& model);

// "block=256 n=1048576"
std::string problem_text(const Problem& problem);

}  // namespace pnsim
