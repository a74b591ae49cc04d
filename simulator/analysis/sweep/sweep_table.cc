#include "simulator/analysis/sweep/sweep_table.h"

#include <algorithm>
#include <cmath>

#include "simulator/analysis/predict/against_default.h"
#include "simulator/analysis/predict/recorded.h"
#include "simulator/base/csv.h"
#include "simulator/base/error.h"
#include "simulator/base/json.h"
#include "simulator/base/table.h"

namespace pnsim {
namespace {

constexpr std::size_t kMostListed = 12;  // values of a parameter in a command

std::string text_of(const InputJson& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::optional<double> number_of(const InputJson& value) {
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

// The number under "value" of an object, or nothing.
std::optional<double> value_in(const InputJson& row, const char* key) {
  const auto object = row.find(key);
  if (object == row.end() || !object->is_object()) return std::nullopt;
  return number_of(object->at("value"));
}

std::string steps_text(double steps) { return fixed(steps, steps == std::floor(steps) ? 0 : 1); }

std::string cell(const std::optional<double>& value, int digits) {
  return value ? significant(*value, digits) : "-";
}

// A column of the table, without those whose cells are all "-".
struct Column {
  std::string head;
  std::string (*cell)(const SweptPoint&);
};

const Column kColumns[] = {
    {"steps", [](const SweptPoint& p) { return steps_text(p.steps); }},
    {"± 95 %", [](const SweptPoint& p) { return cell(p.half_width, 2); }},
    {"predicted us", [](const SweptPoint& p) { return cell(p.predicted_us, 4); }},
    {"measured us", [](const SweptPoint& p) { return cell(p.measured_us, 4); }},
    {"error %",
     [](const SweptPoint& p) {
       const std::optional<double> error = p.error_percent();
       return error ? (*error >= 0 ? "+" : "") + fixed(*error, 1) : std::string("-");
     }},
    {"outcome", [](const SweptPoint& p) { return p.ended ? std::string("-") : p.outcome; }}};

std::string csv_number(const std::optional<double>& value, int decimals) {
  return value ? fixed(*value, decimals) : "";
}

}  // namespace

std::optional<double> SweptPoint::error_percent() const {
  if (!predicted_us || !measured_us || *measured_us <= 0) return std::nullopt;
  return 100 * (*predicted_us / *measured_us - 1);
}

SweepTable::SweepTable(std::vector<std::string> names, std::vector<std::string> heads,
                       bool has_goal, std::vector<std::string> scale_parameters)
    : names_(std::move(names)),
      heads_(std::move(heads)),
      has_goal_(has_goal),
      scale_parameters_(std::move(scale_parameters)) {}

void SweepTable::add(std::string_view rows, const std::string& origin) {
  while (!rows.empty()) {
    const std::size_t end = std::min(rows.find('\n'), rows.size());
    if (end > 0) add_row(rows.substr(0, end), origin);
    rows.remove_prefix(std::min(end + 1, rows.size()));
  }
}

// A row may be that of a file which somebody changed: a missing key or a value of another type is
// nlohmann's exception.
void SweepTable::add_row(std::string_view line, const std::string& origin) {
  const InputJson row = InputJson::parse(line, nullptr, false);
  const std::string expected =
      "expected a row of `pnsim sweep`: run the sweep again into another file";
  if (!row.is_object()) {
    fail_input(origin, "found \"" + std::string(line.substr(0, 40)) + "\", " + expected);
  }
  try {
    add_point(row);
  } catch (const InputJson::exception& error) {
    const std::string what = error.what();
    const std::string why = what.substr(std::min(what.find("] ") + 2, what.size()));
    fail_input(origin + ": point " + std::to_string(points_.size() + 1), why + "; " + expected);
  }
}

void SweepTable::add_point(const InputJson& row) {
  SweptPoint point;
  for (const std::string& name : names_) point.axes.push_back(text_of(row.at("axes").at(name)));
  const InputJson& steps = row.at("steps");
  point.steps = number_of(steps.at("mean")).value_or(0);
  point.stddev = number_of(steps.at("stddev"));
  const InputJson& interval = steps.at("ci95");
  if (interval.is_array())
    point.half_width = (interval.at(1).get<double>() - interval.at(0).get<double>()) / 2;
  point.predicted_us = value_in(row, "time_us");
  point.measured_us = value_in(row, "measured_us");
  point.outcome = text_of(row.at("outcome"));
  point.ended = point.outcome == "goal" || (point.outcome == "dead" && !has_goal_);
  const auto note = [&](std::string& common, const char* key) {
    const std::string mine = text_of(row.at(key));
    if (points_.empty()) common = mine;
    if (common != mine) common.clear();
  };
  note(common_.model, "model");
  note(common_.net, "net");
  note(common_.device, "device");
  note(common_.seed, "seed");
  note(common_.replicas, "replicas");
  note_scale(row, point);
  points_.push_back(std::move(point));
}

void SweepTable::note_scale(const InputJson& row, const SweptPoint& point) {
  Scales& scales = scales_[{text_of(row.at("net")), text_of(row.at("device"))}];
  if (point.predicted_us) {
    const InputJson& time = row.at("time_us");
    const auto source = time.find("source");
    if (source != time.end() && scales.sources.size() < 2) scales.sources.insert(text_of(*source));
  }
  if (point.predicted_us || !point.ended) return;
  scales.has_missing = true;
  const auto parameters = row.find("parameters");
  if (parameters == row.end()) return;
  for (const std::string& name : scale_parameters_) {
    const auto value = parameters->find(name);
    if (value == parameters->end() || !value->is_number_integer()) continue;
    std::set<std::int64_t>& values = scales.missing[name];
    if (values.size() <= kMostListed) values.insert(value->get<std::int64_t>());
  }
}

// The command for the first net and device whose rows lack a time.
std::string SweepTable::calibrate_note() const {
  for (const auto& [key, scales] : scales_) {
    if (!scales.has_missing) continue;
    if (!has_recorded_times(key.second)) {
      return ": no times are recorded on " + key.second + ", so none can be fitted";
    }
    std::string command = "experiment calibrate --net " + key.first + " --device " + key.second;
    for (const auto& [name, values] : scales.missing) {
      if (values.size() > kMostListed) return "";
      std::string list;
      for (const std::int64_t value : values) {
        list += (list.empty() ? "" : ",") + std::to_string(value);
      }
      command += " -a " + name + "=" + (values.size() == 1 ? list : "[" + list + "]");
    }
    return scales.missing.empty()
               ? ""
               : "; this fits one for each: " + command + "\nnote: " + calibrate_effect(key.second);
  }
  return "";
}

std::vector<std::string> SweepTable::notes() const {
  std::vector<std::string> notes;
  const auto any = [&](const auto& of) { return std::any_of(scales_.begin(), scales_.end(), of); };
  const bool has_times = any([](const auto& s) { return !s.second.sources.empty(); });
  if (has_times && any([](const auto& s) { return s.second.has_missing; })) {
    notes.push_back("predicted us \"-\": no time scale for these parameters" + calibrate_note());
  }
  if (any([](const auto& s) { return s.second.sources.size() > 1; })) {
    notes.emplace_back(
        "the times come from several time scales, each fitted to the same measured times with its "
        "own parameters: compare the steps of such rows, not their times");
  }
  if (common_.replicas == "1" && points_.size() > 1) {
    notes.emplace_back(
        "one run of each point: small differences may be random; --replicas 5 shows their "
        "spread (± 95 %)");
  }
  return notes;
}

std::string SweepTable::title() const {
  std::string text = common_.model;
  if (!common_.net.empty()) text += " on net " + common_.net;
  if (!common_.device.empty()) text += ", " + common_.device;
  text += "; seed " + common_.seed;
  if (common_.replicas.empty()) return text;
  return text + ", " + common_.replicas + (common_.replicas == "1" ? " replica" : " replicas");
}

std::string SweepTable::text(std::size_t most) const {
  std::vector<std::string> heads = heads_;
  std::vector<const Column*> columns;
  for (const Column& column : kColumns) {
    const bool is_used = std::any_of(points_.begin(), points_.end(),
                                     [&](const SweptPoint& p) { return column.cell(p) != "-"; });
    if (!is_used) continue;
    columns.push_back(&column);
    heads.push_back(column.head);
  }
  TextTable table(heads);
  for (std::size_t i = 0; i < std::min(points_.size(), most); ++i) {
    std::vector<std::string> cells = points_[i].axes;
    for (const Column* column : columns) cells.push_back(column->cell(points_[i]));
    table.add_row(std::move(cells));
  }
  std::string text = title() + "\n\n" + table.text(2);
  if (points_.size() > most) {
    text += "  ... " + grouped(static_cast<long long>(points_.size() - most)) +
            " more rows (--csv FILE has all)\n";
  }
  const std::vector<std::string> all_notes = notes();
  if (!all_notes.empty()) text += "\n";
  for (const std::string& note : all_notes) text += "note: " + note + "\n";
  return text;
}

std::string SweepTable::csv() const {
  std::vector<std::string> header;
  for (const std::string& head : heads_) header.push_back(csv_name(head));
  for (const char* head : {"steps", "steps_stddev", "predicted_us", "measured_us", "error_percent",
                           "outcome", "steps_half_width_95"}) {
    header.emplace_back(head);
  }
  std::string csv = csv_line(header);
  for (const SweptPoint& p : points_) {
    std::vector<std::string> cells = p.axes;
    cells.push_back(fixed(p.steps, 3));
    cells.push_back(csv_number(p.stddev, 3));
    cells.push_back(csv_number(p.predicted_us, 6));
    cells.push_back(csv_number(p.measured_us, 6));
    cells.push_back(csv_number(p.error_percent(), 3));
    cells.push_back(p.outcome);
    cells.push_back(csv_number(p.half_width, 3));
    csv += csv_line(cells);
  }
  return csv;
}

}  // namespace pnsim
