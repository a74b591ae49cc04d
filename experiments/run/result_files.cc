#include "experiments/run/result_files.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "simulator/analysis/predict/run_report.h"
#include "simulator/base/error.h"
#include "simulator/base/hash.h"
#include "simulator/base/nearest.h"
#include "simulator/base/rows.h"

namespace pnsim::experiments {
namespace {

std::string source_name(CompareMode mode) {
  if (mode == CompareMode::kLive) return "live";
  return mode == CompareMode::kRecorded ? "recorded" : "none";
}

Json axes_json(const Spec& spec, const SuitePoint& point) {
  Json out = Json::object();
  for (const Axis& axis : spec.axes) {
    if (axis.name == "program") {
      out[axis.name] = point.program;
    } else {
      out[axis.name] = point.problem.at(axis.name);
    }
  }
  return out;
}

constexpr double kMostSteps = 1e18, kLeastMicroseconds = 1e-9, kMostMicroseconds = 1e18;

std::vector<std::string> names_of(const std::vector<Axis>& axes) {
  std::vector<std::string> names;
  for (const Axis& axis : axes) names.push_back(axis.name);
  return names;
}

// The members have exactly these names.
void check_names(const JsonReader& object, const std::string& what,
                 const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (!object.find(name)) object.fail("no " + what + " \"" + name + "\"");
  }
  for (const auto& [name, value] : object.members()) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    value.fail("unknown " + what + " \"" + name + "\"" + suggestion(name, names));
  }
}

ParameterValues read_parameters(const JsonReader& json) {
  ParameterValues out;
  for (const auto& [name, value] : json.members()) {
    out[name] = {value.integer(-kMaxTokens, kMaxTokens)};
  }
  return out;
}

Comparison read_comparison(const JsonReader& json) {
  json.only({"source", "device", "reason"});
  const std::string source = json.at("source").string();
  Comparison out;
  out.source = source == "none" ? CompareMode::kNone : parse_compare_mode(source);
  out.device = json.at("device").string();
  out.reason = json.at("reason").string();
  return out;
}

std::uint64_t read_seed(const JsonReader& json) {
  if (!json.value().is_number_unsigned()) json.fail_expected("an integer from 0 to 2^64 - 1");
  return json.value().get<std::uint64_t>();
}

// Times and steps are its multiples: neither 0 nor what only overflows.
double read_us_per_step(const JsonReader& json) {
  constexpr double kLeast = 1e-12, kMost = 1e12;
  const double value = json.is_null() || !json.value().is_number() ? 0 : json.number();
  if (!(value >= kLeast && value <= kMost)) json.fail_expected("a number from 1e-12 to 1e12");
  return value;
}

RunInfo read_run(const JsonReader& json) {
  json.only({"kind", "spec", "comparison", "net", "device", "device_title", "parameters", "seed",
             "replicas", "engine", "time_scale", "provenance"});
  RunInfo info;
  info.spec = read_spec(json.at("spec"));
  info.comparison = read_comparison(json.at("comparison"));
  info.net = json.at("net").string();
  info.device = json.at("device").string();
  info.device_title = json.at("device_title").string();
  info.parameters = read_parameters(json.at("parameters"));
  info.seed = read_seed(json.at("seed"));
  info.replicas = static_cast<std::uint32_t>(json.at("replicas").integer(1, UINT32_MAX));
  info.engine = json.at("engine").string();
  if (const JsonReader scale = json.at("time_scale"); !scale.is_null()) {
    info.scale = TimeScale{read_us_per_step(scale.at("us_per_step")), scale.at("source").string()};
  }
  const JsonReader provenance = json.at("provenance");
  info.version = provenance.at("version").string();
  info.commit = provenance.at("commit").string();
  info.date = provenance.at("date").string();
  info.command = provenance.at("command").string();
  return info;
}

// The time of a point. A run that compares has one for each point; a time of 0 or null would spoil
// every mean over the points.
double read_time(const JsonReader& measured) {
  const JsonReader value = measured.at("value");
  const double us = value.value().is_number() ? value.number() : 0;
  if (!(us >= kLeastMicroseconds && us <= kMostMicroseconds)) {
    value.fail_expected("a time in us, a number from 1e-9 to 1e18");
  }
  return us;
}

PointResult read_point(const JsonReader& row, const RunInfo& info) {
  const Spec& spec = info.spec;
  const bool is_compared = info.comparison.source != CompareMode::kNone;
  PointResult out;
  check_names(row.at("axes"), "axis", names_of(spec.axes));
  for (const auto& [axis, value] : row.at("axes").members()) {
    if (axis == "program") {
      out.point.program = value.string();
      if (out.point.program.find('/') != std::string::npos) {  // the name of a plot contains it
        value.fail("found \"" + out.point.program + "\", expected the name of a program");
      }
    } else {
      out.point.problem[axis] = value.integer(0, kMaxTokens);
    }
  }
  const auto size = out.point.problem.find(spec.size_axis);
  if (size == out.point.problem.end()) row.at("axes").fail("no axis \"" + spec.size_axis + "\"");
  out.point.is_training = is_training_value(size->second);
  out.steps = row.at("steps").at("mean").number(is_compared ? 1 : 0, kMostSteps);
  if (const auto instructions = row.find("busiest_sm_instructions")) {  // older rows have none
    out.instructions = instructions->number(0);
  }
  const JsonReader measured = row.at("measured_us");
  if (is_compared && measured.is_null()) {
    measured.fail_expected(
        "a measured time, because run.json says that the points were compared (" +
        short_text(info.comparison) + "); repeat the run: experiment run");
  }
  if (!measured.is_null()) {
    out.measured_us = read_time(measured);
    out.measured_p05_us = measured.at("p05").number(0, kMostMicroseconds);
    out.measured_p95_us = measured.at("p95").number(0, kMostMicroseconds);
    out.measured_source = measured.at("source").string();
  }
  return out;
}

std::string row_place(const std::string& file, std::size_t line) {
  return file + ": line " + std::to_string(line);
}

// A cell of the run's own grid, with nothing but parameters that the run has.
void check_cell(const JsonReader& row, const RunInfo& info) {
  const JsonReader parameters = row.at("parameters");
  for (const Axis& axis : info.spec.grid) {
    if (!parameters.find(axis.name)) {
      parameters.fail("no parameter \"" + axis.name + "\", an axis of the grid in run.json");
    }
  }
  std::vector<std::string> known = names_of(info.spec.grid);
  for (const auto& [name, unused] : info.spec.reference) known.push_back(name);
  for (const auto& [name, value] : parameters.members()) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      value.fail("unknown parameter \"" + name + "\"" + suggestion(name, known));
    }
  }
}

std::string point_text(const SuitePoint& point) {
  return "program=" + point.program + " " + problem_text(point.problem);
}

// The rows are the points of run.json in their order, which the numbers of grid.jsonl follow.
void read_points(const std::string& file, RunResults& out) {
  std::vector<std::size_t> lines;
  const std::vector<InputJson> rows = load_rows(file, nullptr, &lines);
  if (rows.empty()) fail_input(file, "no rows; the run did not get that far");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out.points.push_back(read_point(JsonReader(rows[i], row_place(file, lines[i])), out.info));
  }
  const std::uint64_t count = point_count(out.info.spec.axes);
  if (count != rows.size()) {
    fail_input(file, "found " + std::to_string(rows.size()) + " rows, expected the " +
                         std::to_string(count) +
                         " points of the axes in run.json; repeat the run: experiment run");
  }
  const std::vector<SuitePoint> expected = points_of(out.info.spec);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (out.points[i].point == expected[i]) continue;
    fail_input(row_place(file, lines[i]),
               "found the point " + point_text(out.points[i].point) + ", expected " +
                   point_text(expected[i]) +
                   ": rows keep the order of the axes in run.json; repeat the run: experiment run");
  }
}

// The number of the cell in the grid of run.json.
std::uint64_t cell_number(const JsonReader& parameters, const GridCell& cell, const Spec& spec) {
  std::uint64_t number = 0;
  bool is_known = !spec.grid.empty();
  ParameterValues expected = spec.reference;
  for (const Axis& axis : spec.grid) {
    const std::vector<std::int64_t> values = axis.integers();
    expected[axis.name] = cell.parameters.at(axis.name);
    const auto it = std::find(values.begin(), values.end(), expected[axis.name].front());
    is_known = is_known && it != values.end();
    number = number * values.size() + static_cast<std::uint64_t>(it - values.begin());
  }
  if (!is_known || cell.parameters != expected) {
    parameters.fail("found " + parameters_text(cell.parameters) +
                    ", which is no cell of the grid in run.json");
  }
  return number;
}

// Puts the cells into the order of the grid in run.json. A grid may be incomplete. A run that
// compares nothing has no grid; the file may be that of an earlier run.
void read_cells(const std::string& file, RunResults& out) {
  if (!out.is_compared()) return;
  std::vector<std::size_t> lines;
  std::map<std::uint64_t, GridCell> cells;
  const std::vector<InputJson> rows = load_rows(file, nullptr, &lines);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const JsonReader row(rows[i], row_place(file, lines[i]));
    GridCell cell = read_cell(row);
    check_points(row, cell, out.points.size());
    check_cell(row, out.info);
    const JsonReader parameters = row.at("parameters");
    const std::uint64_t number = cell_number(parameters, cell, out.info.spec);
    const std::string text = parameters_text(cell.parameters);
    if (!cells.emplace(number, std::move(cell)).second) parameters.fail("a second row of " + text);
  }
  for (auto& [number, cell] : cells) out.cells.push_back(std::move(cell));
}

}  // namespace

std::string point_id(const Suite& suite, const SuitePoint& point, const RunInfo& info) {
  KernelModel one;  // only the part of the model that is simulated
  one.points = {suite.model(point.program).point(point.problem)};
  const Json what = {{"axes", axes_json(info.spec, point)},
                     {"launches", hash_id(kernel_model_text(one))},
                     {"net", info.net},
                     {"device", info.device},
                     {"parameters", parameters_json(info.parameters)},
                     {"seed", info.seed},
                     {"replicas", info.replicas}};
  return hash_id(to_line(what));
}

std::string cell_id(const std::vector<std::string>& point_ids, const ParameterValues& cell) {
  std::string text = to_line(parameters_json(cell));
  for (const std::string& id : point_ids) text += id;
  return hash_id(text);
}

Json run_json(const RunInfo& info) {
  Json out;
  out["kind"] = "experiment-run";
  out["spec"] = to_json(info.spec);
  out["comparison"] = {{"source", source_name(info.comparison.source)},
                       {"device", info.comparison.device},
                       {"reason", info.comparison.reason}};
  out["net"] = info.net;
  out["device"] = info.device;
  out["device_title"] = info.device_title;
  out["parameters"] = parameters_json(info.parameters);
  out["seed"] = info.seed;
  out["replicas"] = info.replicas;
  out["engine"] = info.engine;
  out["time_scale"] = nullptr;
  if (info.scale) {
    out["time_scale"] = {{"us_per_step", info.scale->us_per_step}, {"source", info.scale->source}};
  }
  out["provenance"] = {{"version", info.version},
                       {"commit", info.commit},
                       {"date", info.date},
                       {"command", info.command}};
  return out;
}

Json point_row(const std::string& id, const Suite& suite, const PointResult& result,
               const Prediction& prediction, const RunInfo& info, const RunOptions& options) {
  ModelRunReport report;
  report.model = &suite.model(result.point.program);
  report.device = &suite.device();
  report.net = info.net;
  report.options = options;
  report.prediction = prediction;
  report.scale = info.scale;
  if (result.measured_us > 0) {
    report.measured = MeasuredTime{result.measured_us, result.measured_p05_us,
                                   result.measured_p95_us, result.measured_source};
  }
  Json row = {{"id", id}, {"kind", "point"}, {"axes", axes_json(info.spec, result.point)}};
  row["training"] = result.point.is_training;
  row.update(to_json(report));
  row["busiest_sm_instructions"] = result.instructions;
  row["error"] = nullptr;
  if (report.measured && info.scale) row["error"] = error_of(result, info.scale->us_per_step);
  return row;
}

Json cell_row(const std::string& id, const GridCell& cell) {
  Json row = {{"id", id}, {"kind", "grid_cell"}, {"parameters", parameters_json(cell.parameters)}};
  row["steps"] = cell.steps;
  return row;
}

GridCell read_cell(const JsonReader& row) {
  GridCell cell{read_parameters(row.at("parameters")), {}};
  for (const JsonReader& steps : row.at("steps").items()) {
    cell.steps.push_back(steps.number(1, kMostSteps));
  }
  return cell;
}

void check_points(const JsonReader& row, const GridCell& cell, std::size_t points) {
  if (cell.steps.size() == points) return;
  row.at("steps").fail("found " + std::to_string(cell.steps.size()) +
                       " numbers, expected one for each of the " + std::to_string(points) +
                       " points");
}

std::string incomplete_text(const RunResults& results) {
  const std::vector<Axis>& grid = results.info.spec.grid;
  const std::uint64_t expected = grid.empty() || !results.is_compared() ? 0 : point_count(grid);
  if (results.cells.size() >= expected) return "";
  return "the run did not come to its end: " + std::to_string(results.cells.size()) + " of " +
         std::to_string(expected) +
         " cells of the grid are there; repeat its command with --resume to add the others";
}

RunResults load_results(const std::string& folder) {
  if (!std::filesystem::is_directory(folder)) {
    fail_input(folder, "no such folder; expected the --out folder of `experiment run`");
  }
  const std::string run_file = folder + "/run.json";
  const InputJson run = load_json(run_file);
  RunResults out{read_run(JsonReader(run, run_file)), {}, {}};
  read_points(folder + "/points.jsonl", out);
  read_cells(folder + "/grid.jsonl", out);
  return out;
}

}  // namespace pnsim::experiments
