// A kernel model: the launches of a program and what their warps execute (models/*.json). Its
// counts are derived from a profile (derive.h), never typed by hand.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
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

// Whether every launch has the programs of its warps, not only counts.
bool has_programs(const RecordedPoint& point);
// Whether every launch finds in the caches what other launches of its program left.
bool is_in_place(const RecordedPoint& point);

struct KernelModel {
  std::string name;
  std::string description;
  std::string net;             // name of the template
  std::string device;          // name of the profile of the device that was profiled
  ParameterValues parameters;  // of the net, over the template's defaults
  Problem problem;             // the default point
  std::vector<RecordedPoint> points;
  Json provenance;  // source, device, command and date

  std::vector<std::string> axes() const;  // names of the problem's axes

  // The point of the default problem with `overrides` in place of its values. Error 4 names the
  // nearest recorded point when this one was not recorded. Error 2 for an unknown axis.
  const RecordedPoint& point(const Problem& overrides) const;
};

// How many launches of the program the profiled one stands for (provenance.stands_for): of each
// kind of launch, `experiment profile` chooses one or a few. Nothing where the profile does not
// say it.
std::optional<double> stands_for(const KernelModel& model);

// Reads models/schema/kernel_model.schema.json; error 3 names the place in the file.
KernelModel read_kernel_model(const JsonReader& json);
KernelModel load_kernel_model(const std::string& path);

// The text of the file, with one launch a line.
std::string kernel_model_text(const KernelModel& model);

// The unit of an axis of a problem: "threads" for "block". "" for a number without a unit, and
// for one whose unit depends on the program (n).
std::string unit_of_axis(const std::string& axis);

// The head of a column with values of an axis: "block (threads)", or "n" without a unit.
std::string head_of(const std::string& axis, const std::string& unit);

// "block=256 n=1048576"
std::string problem_text(const Problem& problem);
// "copy (n=4096)"; "copy" without a problem, as models of `pnsim derive` are.
std::string titled_model(const std::string& name, const std::string& blanks,
                         const Problem& problem);

}  // namespace pnsim
