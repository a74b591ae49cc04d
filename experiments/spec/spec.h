// What an experiment is: a file in experiments/specs (models/schema/experiment.schema.json).
#pragma once

#include <string>
#include <vector>

#include "simulator/base/axis.h"
#include "simulator/base/json_reader.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim::experiments {

// Points are the product of the axes; one axis is called "program" and names kernel models, the
// others are axes of their problems.
struct Spec {
  std::string name;
  std::string description;
  std::vector<Axis> axes;   // in the order of the points, the last one fastest
  std::string size_axis;    // correlations and plots run over it; its values are split into
                            // training (log2 even) and held-out points
  std::string tuning_axis;  // "what is its best value?"; "" for none
  std::vector<std::string> configuration_axes;  // the launch is free to choose: the same work for
                                                // any value. Empty: the tuning axis alone
  std::string net;                              // template by name
  std::string device;                           // profile by name
  std::string mode;                             // of the measured times: "warm" or "cold"
  std::string reference_name;                   // who stands for the reference parameters
  ParameterValues reference;  // of the net: the main comparison, marked in the grid
  std::vector<Axis> grid;     // one or two parameters of the net; empty for no grid

  const Axis& axis(const std::string& wanted) const;  // error 70 when there is none
  std::vector<std::string> configuration() const;     // configuration_axes, or what stands for them
};

// Error 3 with the place in the file for anything that is not as the schema says.
Spec read_spec(const JsonReader& json);

// By path or by the name of a shipped spec. Error 3 with the nearest name.
Spec load_spec(const std::string& name_or_path);

// The axes of a shipped spec, of every one for "all", or just the overrides for "": what is to be
// measured or profiled. Overrides are laid over them. Error 2 for an axis that a spec has not.
std::vector<std::vector<Axis>> axes_of_specs(const std::string& name_or_all,
                                             const std::vector<std::string>& overrides);

// "n=[1,2]": what parse_axis reads.
std::string axis_text(const Axis& axis);

// What read_spec reads.
Json to_json(const Spec& spec);

// Puts the values of `overrides` into the axes and the grid. Error 2 with the nearest name for an
// axis that is neither.
void override_axes(Spec& spec, const std::vector<Axis>& overrides);

// One point of the product.
struct SuitePoint {
  std::string program;
  Problem problem;
  bool is_training = false;

  bool operator==(const SuitePoint&) const = default;
};

// Error 2 for too many points or values that are no whole numbers.
std::vector<SuitePoint> points_of(const Spec& spec);

// Whether log2 of the value, rounded down, is even: what the time scale is fitted on.
bool is_training_value(std::int64_t value);

// Settings of the net's parameters, one a cell of the grid, the last axis fastest; each holds the
// reference parameters with the cell's laid over them.
std::vector<ParameterValues> grid_cells(const Spec& spec);

}  // namespace pnsim::experiments
