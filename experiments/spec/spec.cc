#include "experiments/spec/spec.h"

#include <algorithm>
#include <bit>
#include <filesystem>

#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/net/net.h"

namespace pnsim::experiments {
namespace {

constexpr const char* kProgramAxis = "program";
constexpr const char* kTrainingRule = "even-log2";

std::vector<std::string> names_of(const std::vector<Axis>& axes) {
  std::vector<std::string> names;
  for (const Axis& axis : axes) names.push_back(axis.name);
  return names;
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Runs `check` and turns its error 2 (meant for command lines) into an error in the file.
template <class Check>
void in_file(const JsonReader& json, Check check) {
  try {
    check();
  } catch (const Error& error) {
    json.fail(error.what());
  }
}

std::vector<Axis> read_axes(const JsonReader& json) {
  std::vector<Axis> axes;
  for (const JsonReader& row : json.items()) {
    const std::string text = row.string();
    in_file(row, [&] { axes.push_back(parse_axis(text)); });
    const std::vector<std::string> names = names_of(axes);
    if (std::count(names.begin(), names.end(), names.back()) > 1) {
      row.fail("the axis " + names.back() + " is given twice");
    }
    if (names.back() != kProgramAxis) in_file(row, [&] { axes.back().integers(); });
  }
  return axes;
}

// Reads a string that must be one of `known`.
std::string read_one_of(const JsonReader& json, const std::vector<std::string>& known) {
  const std::string value = json.string();
  if (!holds(known, value)) json.fail("found \"" + value + "\"" + suggestion(value, known));
  return value;
}

std::vector<std::string> problem_axes(const Spec& spec) {
  std::vector<std::string> names = names_of(spec.axes);
  std::erase(names, kProgramAxis);
  return names;
}

void read_all_axes(const JsonReader& json, Spec& spec) {
  spec.axes = read_axes(json.at("axes"));
  if (!holds(names_of(spec.axes), kProgramAxis)) {
    json.at("axes").fail("one axis must be \"program\", the kernel models to compare");
  }
  in_file(json.at("axes"), [&] { point_count(spec.axes); });
  spec.size_axis = read_one_of(json.at("size_axis"), problem_axes(spec));
  if (const auto axis = json.find("tuning_axis")) {
    spec.tuning_axis = read_one_of(*axis, problem_axes(spec));
    if (spec.tuning_axis == spec.size_axis) axis->fail("is the size axis already");
  }
  if (const auto axes = json.find("configuration_axes")) {
    for (const JsonReader& axis : axes->items()) {
      spec.configuration_axes.push_back(read_one_of(axis, problem_axes(spec)));
      if (spec.configuration_axes.back() == spec.size_axis) axis.fail("is the size axis already");
    }
  }
  if (const auto grid = json.find("grid")) {
    spec.grid = read_axes(*grid);
    if (spec.grid.empty() || spec.grid.size() > 2) grid->fail("a grid has one or two axes");
    in_file(*grid, [&] { point_count(spec.grid); });
  }
}

void read_reference(const JsonReader& json, Spec& spec) {
  json.only({"name", "parameters"});
  spec.reference_name = json.at("name").string();
  for (const auto& [name, value] : json.at("parameters").members()) {
    spec.reference[name] = {value.integer(-kMaxTokens, kMaxTokens)};
  }
}

Json axes_json(const std::vector<Axis>& axes) {
  Json out = Json::array();
  for (const Axis& axis : axes) out.push_back(axis_text(axis));
  return out;
}

}  // namespace

const Axis& Spec::axis(const std::string& wanted) const {
  const auto it =
      std::find_if(axes.begin(), axes.end(), [&](const Axis& axis) { return axis.name == wanted; });
  if (it == axes.end()) throw Error(ExitCode::kInternal, "no axis \"" + wanted + "\"");
  return *it;
}

std::vector<std::string> Spec::configuration() const {
  if (!configuration_axes.empty() || tuning_axis.empty()) return configuration_axes;
  return {tuning_axis};
}

Spec read_spec(const JsonReader& json) {
  json.only({"kind", "version", "name", "description", "axes", "size_axis", "tuning_axis",
             "configuration_axes", "training", "net", "device", "mode", "reference", "grid"});
  if (json.at("kind").string() != "experiment") json.at("kind").fail_expected("\"experiment\"");
  json.at("version").integer(1, 1);
  Spec spec;
  spec.name = json.at("name").string();
  if (spec.name.empty() || spec.name == "." || spec.name == ".." ||
      spec.name.find('/') != std::string::npos) {  // it names the folder of the results
    json.at("name").fail_expected("a name that can be one of a folder, without \"/\"");
  }
  spec.description = json.at("description").string();
  read_all_axes(json, spec);
  read_one_of(json.at("training"), {kTrainingRule});
  spec.net = json.at("net").string();
  spec.device = json.at("device").string();
  spec.mode = read_one_of(json.at("mode"), {"warm", "cold"});
  read_reference(json.at("reference"), spec);
  return spec;
}

namespace {

Spec spec_of(const std::string& name_or_path) {
  const std::string path = find_data_file(name_or_path, {"experiments/specs"});
  const InputJson json = load_json(path);
  return read_spec(JsonReader(json, path));
}

// False for a shipped file that cannot be read: it is not the one that was asked for.
bool runs_program(const std::string& spec, const std::string& program) try {
  const std::vector<Axis> axes = spec_of(spec).axes;
  return std::any_of(axes.begin(), axes.end(), [&](const Axis& axis) {
    return axis.name == kProgramAxis &&
           std::find(axis.values.begin(), axis.values.end(), program) != axis.values.end();
  });
} catch (const Error&) {
  return false;
}

// The name of a program in place of an experiment's is answered with those that run it.
void refuse_program_as_spec(const std::string& name) {
  const std::vector<std::string> shipped = shipped_names("experiments/specs");
  std::error_code ignored;
  if (std::filesystem::exists(name, ignored) ||
      std::find(shipped.begin(), shipped.end(), name) != shipped.end())
    return;
  std::string with;
  for (const std::string& spec : shipped) {
    if (runs_program(spec, name)) with += (with.empty() ? "" : " or ") + ("\"" + spec + "\"");
  }
  if (with.empty()) return;
  fail_input(name, "found a program, expected an experiment; those that run it: " + with);
}

}  // namespace

Spec load_spec(const std::string& name_or_path) {
  refuse_program_as_spec(name_or_path);
  return spec_of(name_or_path);
}

std::string axis_text(const Axis& axis) {
  std::string text;
  for (const std::string& value : axis.values) text += (text.empty() ? "" : ",") + value;
  return axis.name + "=[" + text + "]";
}

std::vector<std::vector<Axis>> axes_of_specs(const std::string& name_or_all,
                                             const std::vector<std::string>& overrides) {
  std::vector<Axis> axes;
  for (const std::string& text : overrides) axes.push_back(parse_axis(text));
  if (name_or_all.empty()) return {axes};
  std::vector<std::string> names{name_or_all};
  if (name_or_all == "all") names = shipped_names("experiments/specs");
  std::vector<std::vector<Axis>> out;
  for (const std::string& name : names) out.push_back(with_overrides(load_spec(name).axes, axes));
  return out;
}

Json to_json(const Spec& spec) {
  Json out;
  out["kind"] = "experiment";
  out["version"] = 1;
  out["name"] = spec.name;
  out["description"] = spec.description;
  out["axes"] = axes_json(spec.axes);
  out["size_axis"] = spec.size_axis;
  if (!spec.tuning_axis.empty()) out["tuning_axis"] = spec.tuning_axis;
  if (!spec.configuration_axes.empty()) out["configuration_axes"] = spec.configuration_axes;
  out["training"] = kTrainingRule;
  out["net"] = spec.net;
  out["device"] = spec.device;
  out["mode"] = spec.mode;
  out["reference"] = {{"name", spec.reference_name}, {"parameters", Json::object()}};
  for (const auto& [name, values] : spec.reference) {
    out["reference"]["parameters"][name] = values.at(0);
  }
  if (!spec.grid.empty()) out["grid"] = axes_json(spec.grid);
  return out;
}

void override_axes(Spec& spec, const std::vector<Axis>& overrides) {
  std::vector<Axis> all = spec.axes;
  all.insert(all.end(), spec.grid.begin(), spec.grid.end());
  all = with_overrides(std::move(all), overrides);
  const auto grid = all.begin() + static_cast<std::ptrdiff_t>(spec.axes.size());
  spec.axes.assign(all.begin(), grid);
  spec.grid.assign(grid, all.end());
  for (const Axis& axis : overrides) {
    if (axis.values.size() != 1 || !holds(names_of(spec.grid), axis.name)) continue;
    const std::int64_t value = axis.integers()[0];
    if (spec.reference[axis.name] == std::vector{value}) continue;
    spec.reference[axis.name] = {value};
    spec.reference_name = "as given";
  }
}

std::vector<SuitePoint> points_of(const Spec& spec) {
  std::vector<std::vector<std::int64_t>> numbers;
  for (const Axis& axis : spec.axes) {
    numbers.push_back(axis.name == kProgramAxis ? std::vector<std::int64_t>{} : axis.integers());
  }
  std::vector<SuitePoint> points;
  const std::uint64_t count = point_count(spec.axes);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::vector<std::size_t> at = point_at(spec.axes, i);
    SuitePoint point;
    for (std::size_t a = 0; a < spec.axes.size(); ++a) {
      if (spec.axes[a].name == kProgramAxis) {
        point.program = spec.axes[a].values[at[a]];
      } else {
        point.problem[spec.axes[a].name] = numbers[a][at[a]];
      }
    }
    point.is_training = is_training_value(point.problem.at(spec.size_axis));
    points.push_back(std::move(point));
  }
  return points;
}

bool is_training_value(std::int64_t value) {
  return value > 0 && std::bit_width(static_cast<std::uint64_t>(value)) % 2 == 1;
}

std::vector<ParameterValues> grid_cells(const Spec& spec) {
  std::vector<ParameterValues> cells;
  if (spec.grid.empty()) return cells;
  const std::uint64_t count = point_count(spec.grid);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::vector<std::size_t> at = point_at(spec.grid, i);
    ParameterValues cell = spec.reference;
    for (std::size_t a = 0; a < spec.grid.size(); ++a) {
      cell[spec.grid[a].name] = {spec.grid[a].integers()[at[a]]};
    }
    cells.push_back(std::move(cell));
  }
  return cells;
}

}  // namespace pnsim::experiments
