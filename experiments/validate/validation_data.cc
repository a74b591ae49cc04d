// The CSV and JSON forms of validation_report.h.
#include <algorithm>
#include <cmath>
#include <set>

#include "experiments/report/report_cells.h"
#include "experiments/validate/program_sums.h"
#include "experiments/validate/validation_report.h"
#include "simulator/base/csv.h"
#include "simulator/base/table.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim::experiments {
namespace {

Json figures_json(const PredictorFigures& f) {
  return {{"points", f.errors.points},
          {"mean", number_or_null(f.errors.mean)},
          {"median", number_or_null(f.errors.median)},
          {"p90", number_or_null(f.errors.p90)},
          {"worst", number_or_null(f.errors.worst)},
          {"pearson_log", number_or_null(f.pearson_log)},
          {"pairs", f.pairs.pairs},
          {"pairs_right", f.pairs.correct}};
}

Json groups_json(const Validation& v, const std::vector<FigureGroup>& groups, const char* key) {
  Json out = Json::array();
  for (const FigureGroup& group : groups) {
    Json row = {{key, group.name}, {"predictors", Json::object()}};
    for (std::size_t p = 0; p < v.predicted.size(); ++p) {
      row["predictors"][v.predicted[p].name] = figures_json(group.of_predictor[p]);
    }
    out.push_back(std::move(row));
  }
  return out;
}

Json predictors_json(const Validation& v) {
  Json out = Json::array();
  for (const Predicted& p : v.predicted) {
    out.push_back({{"name", p.name}, {"about", p.about}, {"fitted", p.note}});
  }
  return out;
}

Json skipped_json(const Validation& v) {
  Json out = Json::array();
  for (const SkippedPoints& row : v.set.skipped) {
    out.push_back({{"program", row.program}, {"points", row.points}, {"why", row.why}});
  }
  return out;
}

Json points_json(const Validation& v) {
  Json out = Json::array();
  const std::vector<PredictionWarnings> warnings = validation_warnings(v);
  const std::vector<double> profiled = profiled_times(v.set);
  for (std::size_t i = 0; i < v.set.points.size(); ++i) {
    const ValidationPoint& point = v.set.points[i];
    Json row = {{"program", point.program},
                {"problem", point.axes},
                {"mode", point.mode},
                {"spec", point.suite},
                {"training", point.is_training},
                {"measured_us", point.measured_us()},
                {"measured_source", point.measured.source},
                {"predicted_us", Json::object()}};
    for (const Predicted& p : v.predicted) row["predicted_us"][p.name] = p.us[i];
    if (!point.template_arguments.empty()) row["template_arguments"] = point.template_arguments;
    if (!std::isnan(profiled[i])) row["profiled_us"] = profiled[i];
    if (point.stands_for > 0) {
      row["stands_for"] = point.stands_for;
      row["stands_for_us"] = point.stands_for_us;
    }
    if (!warnings[i].empty()) row["warnings"] = to_json(warnings[i]);
    out.push_back(std::move(row));
  }
  return out;
}

// The axes of all programs, sorted by name.
std::vector<std::string> axes_of(const Validation& v) {
  std::set<std::string> names;
  for (const ValidationPoint& point : v.set.points) {
    for (const auto& [name, value] : point.axes.items()) names.insert(name);
  }
  return {names.begin(), names.end()};
}

// "" for an axis that the program does not have.
std::string axis_cell(const ValidationPoint& point, const std::string& axis) {
  const auto it = point.axes.find(axis);
  if (it == point.axes.end()) return "";
  return it->is_string() ? it->get<std::string>() : it->dump();
}

std::vector<std::string> csv_header(const Validation& v, const std::vector<std::string>& axes) {
  std::vector<std::string> header{"program", "point"};
  for (const std::string& axis : axes) {
    header.push_back(csv_name(head_of(axis, unit_of_axis(axis))));
  }
  header.insert(header.end(), {"mode", "spec", "training", "measured_us", "measured_p05_us",
                               "measured_p95_us", "measured_source"});
  for (const Predicted& p : v.predicted) {
    header.push_back(csv_name(p.name) + "_us");
    header.push_back(csv_name(p.name) + "_error");
  }
  return header;
}

}  // namespace

std::vector<PredictionWarnings> validation_warnings(const Validation& v) {
  std::vector<PredictionWarnings> out;
  const std::vector<double> profiled = profiled_times(v.set);
  for (std::size_t i = 0; i < v.set.points.size(); ++i) {
    const ValidationPoint& point = v.set.points[i];
    out.push_back(point.warnings);
    const bool is_its_gpu = point.model->device == v.set.device.name;
    if (v.predicted.empty() || !is_its_gpu || std::isnan(profiled[i])) continue;
    const auto far = warning_of_distance(v.predicted[0].us[i], profiled[i]);
    if (far) out.back().push_back(*far);
  }
  return out;
}

std::string validation_csv(const Validation& v) {
  const std::vector<PredictionWarnings> warnings = validation_warnings(v);
  const bool has_warnings =
      std::any_of(warnings.begin(), warnings.end(), [](const auto& list) { return !list.empty(); });
  const std::vector<std::string> axes = axes_of(v);
  std::vector<std::string> header = csv_header(v, axes);
  if (has_warnings) header.push_back("warnings");
  const std::vector<double> profiled = profiled_times(v.set);
  const bool has_profiled =
      std::any_of(profiled.begin(), profiled.end(), [](double us) { return !std::isnan(us); });
  if (has_profiled) header.push_back("profiled_us");
  std::string csv = csv_line(header);
  std::vector<std::vector<double>> errors;
  for (const Predicted& p : v.predicted) errors.push_back(errors_of(v.set.points, p.us));
  for (std::size_t i = 0; i < v.set.points.size(); ++i) {
    const ValidationPoint& point = v.set.points[i];
    std::vector<std::string> row{point.program, point.at};
    for (const std::string& axis : axes) row.push_back(axis_cell(point, axis));
    row.insert(row.end(), {point.mode, point.suite, point.is_training ? "1" : "0"});
    for (const double us :
         {point.measured.median_us, point.measured.p05_us, point.measured.p95_us}) {
      row.push_back(std::isnan(us) ? "" : fixed(us, 4));
    }
    row.push_back(point.measured.source);
    for (std::size_t p = 0; p < v.predicted.size(); ++p) {
      row.push_back(fixed(v.predicted[p].us[i], 4));
      row.push_back(fixed(errors[p][i], 6));
    }
    if (has_warnings) row.push_back(kinds_text(warnings[i]));
    if (has_profiled) row.push_back(std::isnan(profiled[i]) ? "" : fixed(profiled[i], 4));
    csv += csv_line(row);
  }
  return csv;
}

Json validation_json(const Validation& v) {
  Json out;
  out["kind"] = "experiment-validation";
  out["specs"] = v.set.specs;
  out["modes"] = v.set.modes;
  out["times"] = v.set.times.brief;
  out["measured_on"] = v.set.times.device;
  out["device"] = v.set.device.name;
  out["seed"] = v.seed;
  out["replicas"] = v.replicas;
  out["engine"] = v.engine;
  out["predictors"] = predictors_json(v);
  out["left_out"] = skipped_json(v);
  out["overall"] = groups_json(v, overall_groups(v), "points_of");
  out["programs"] = groups_json(v, program_figures(v.set, v.predicted), "program");
  if (const Json program = program_json(v); !program.is_null()) out["program"] = program;
  out["points"] = points_json(v);
  out["provenance"] = {
      {"version", v.version}, {"commit", v.commit}, {"date", v.date}, {"command", v.command}};
  return out;
}

}  // namespace pnsim::experiments
