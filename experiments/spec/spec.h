// A spec describes an experiment; the files are experiments/specs/*.json, their schema
// models/schema/experiment.schema.json.
#pragma once

#include <string>
#include <vector>

#include "simulator/base/axis.h"
#include "simulator/base/json_reader.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim::experiments {

// The points are the product of the axes. One axis is called "program" and names kernel models; the
// others are axes of their problems.
struct Spec {
  std::string name;
  std::string description;
  std::vector<Axis> axes;   // in the order of the points, the last one fastest
  std::string size_axis;    // the axis of correlations and plots; its values are split into
                            // training points (log2 even) and held-out points
  std::string tuning_axis;  // the axis whose best value is searched; "" for none
  std::vector<std::string> configuration_axes;  // axes that do not change the work, only the
                                                // launch. Empty: the tuning axis alone
  std::string net;                              // template by name
  std::string device;                           // profile by name
  std::string mode;                             // mode of the measured times: "warm" or "cold"
  std::string reference_name;                   // the GPU of the reference parameters, for titles
  ParameterValues reference;  // the net's parameters in the main comparison; marked in the grid
  std::vector<Axis> grid;     // one or two parameters of the net; empty for no grid

  const Axis& axis(const std::string& wanted) const;  // throws error 70 when there is none
  std::vector<std::string> configuration() const;     // configuration_axes, or their default
};

// Throws error 3, with the place in the file, when the JSON violates the schema.
Spec read_spec(const JsonReader& json);

// Loads a spec by path or by the name of a shipped spec. Throws error 3 and names the nearest.
Spec load_spec(const std::string& name_or_path);

// The axes of a shipped spec, of all specs for "all", or only the overrides for "". They select
// what is measured or profiled. The overrides replace axes of the specs. Throws error 2 for an axis
// that a spec lacks.
std::vector<std::vector<Axis>> axes_of_specs(const std::string& name_or_all,
                                             const std::vector<std::string>& overrides);

// Example: "n=[1,2]", as parse_axis() reads it.
std::string axis_text(const Axis& axis);

// The inverse of read_spec().
Json to_json(const Spec& spec);

// Replaces the values of axes and of the grid by those of `overrides`. A single value of an axis of
// the grid is also the reference, with which the points are predicted. Throws error 2 and names the
// nearest axis for an unknown one.
void override_axes(Spec& spec, const std::vector<Axis>& overrides);

// One point of the product of the axes.
struct SuitePoint {
  std::string program;
  Problem problem;
  bool is_training = false;

  bool operator==(const SuitePoint&) const = default;
};

// Throws error 2 for too many points and for values that are not whole numbers.
std::vector<SuitePoint> points_of(const Spec& spec);

// Whether floor(log2(value)) is even. The time scale is fitted on points of such values.
bool is_training_value(std::int64_t value);

// The settings of the net's parameters, one per cell of the grid, the last axis fastest. Each holds
// the reference parameters, overridden by those of the cell.
std::vector<ParameterValues> grid_cells(const Spec& spec);

}  // namespace pnsim::experiments
