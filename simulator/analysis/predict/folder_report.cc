#include "simulator/analysis/predict/folder_report.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "simulator/base/csv.h"
#include "simulator/base/stats.h"
#include "simulator/base/table.h"

namespace pnsim {
namespace {

constexpr std::size_t kMostOfKernel = 40;  // characters of a kernel's name in the table

// Indents JSON for its position in an array of an object. Strings in JSON contain no line breaks.
std::string indented(const std::string& json) {
  std::string out;
  for (const char c : json) c == '\n' ? out += "\n    " : out += c;
  return out;
}

std::string count_of(std::size_t count, const std::string& what) {
  return grouped(static_cast<long long>(count)) + " " + what + (count == 1 ? "" : "s");
}

bool is_predicted(const FolderRow& row) { return row.error.empty(); }

std::size_t predicted_count(const FolderReport& report) {
  return static_cast<std::size_t>(
      std::count_if(report.rows.begin(), report.rows.end(), is_predicted));
}

// The distinct values, sorted: "sm, wpnm".
std::string names_of(const FolderReport& report, std::string FolderRow::*member) {
  std::set<std::string> names;
  for (const FolderRow& row : report.rows) {
    if (is_predicted(row)) names.insert(row.*member);
  }
  std::string text;
  names.erase("");
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string head_text(const FolderReport& report) {
  const RunOptions& run = report.options.run;
  const std::size_t count = predicted_count(report);
  std::string text = report.folder + ": " + count_of(count, "kernel model");
  if (count > 0)
    text += " on net " + names_of(report, &FolderRow::net) + ", " +
            names_of(report, &FolderRow::device);
  const std::string profiled_on = names_of(report, &FolderRow::profiled_on);
  if (!profiled_on.empty()) text += " (counts from " + profiled_on + ")";
  text += "; seed " + std::to_string(run.seed);
  if (!report.options.stopping) text += ", " + count_of(run.replicas, "replica");
  return text + ", engine " + engine_name(run.engine) +
         (report.mode == "warm" ? "" : ", " + report.mode) + "\n";
}

// Shortens long kernel names (template arguments); the name of the file identifies the kernel.
std::string kernel_text(const FolderRow& row) {
  if (row.launches != 1) return std::to_string(row.launches) + " launches";
  if (row.kernel.size() <= kMostOfKernel) return row.kernel;
  std::size_t end = kMostOfKernel - 3;
  while (end > 0 && (static_cast<unsigned char>(row.kernel[end]) & 0xC0) == 0x80)
    --end;  // do not split a UTF-8 character
  return row.kernel.substr(0, end) + "...";
}

std::string us_cell(const std::optional<double>& us) { return us ? significant(*us, 4) : "-"; }

std::string error_cell(const FolderRow& row) {
  if (!row.predicted_us || !row.measured_us) return "-";
  const double error = *row.predicted_us / *row.measured_us - 1;
  return (error >= 0 ? "+" : "") + fixed(100 * error, 1);
}

// A column of the table. Most columns are shown only if at least one row has a value.
struct FolderColumn {
  std::string name;
  std::string (*cell)(const FolderRow& row);
  bool (*has)(const FolderRow& row);
  bool without_net_only = false;  // shown only without --net
};

const std::vector<FolderColumn>& folder_columns() {
  using Row = const FolderRow&;
  constexpr auto always = [](Row) { return true; };
  constexpr auto is_measured = [](Row row) { return row.measured_us.has_value(); };
  static const std::vector<FolderColumn> columns{
      {"file", [](Row row) { return row.file; }, always},
      {"kernel", kernel_text, always},
      {"grid", [](Row row) { return row.launches == 1 ? std::to_string(row.grid) : "-"; }, always},
      {"block", [](Row row) { return row.launches == 1 ? std::to_string(row.block) : "-"; },
       always},
      {"steps",
       [](Row row) { return fixed(row.steps, row.steps == std::floor(row.steps) ? 0 : 1); },
       always},
      {"predicted us", [](Row row) { return us_cell(row.predicted_us); }, always},
      {"net", [](Row row) { return row.net; }, always, true},
      {"paper's net us", [](Row row) { return us_cell(row.beside_us); },
       [](Row row) { return row.beside_us.has_value(); }, true},
      {"measured us", [](Row row) { return us_cell(row.measured_us); }, is_measured},
      {"error %", error_cell, is_measured},
      {"profiled us", [](Row row) { return us_cell(row.profiled_us); },
       [](Row row) { return row.profiled_us.has_value(); }},
      {"warnings", [](Row row) { return kinds_text(row.warnings); },
       [](Row row) { return !row.warnings.empty(); }},
      {"outcome", [](Row row) { return std::string(outcome_name(row.outcome)); }, always},
      {"bottleneck", [](Row row) { return row.busiest_unit; },
       [](Row row) { return !row.busiest_unit.empty(); }},
  };
  return columns;
}

std::string rows_text(const FolderReport& report) {
  std::vector<const FolderColumn*> columns;
  std::vector<std::string> header;
  for (const FolderColumn& column : folder_columns()) {
    const auto has = [&](const FolderRow& row) { return is_predicted(row) && column.has(row); };
    if (column.without_net_only && report.net_was_given) continue;
    if (std::none_of(report.rows.begin(), report.rows.end(), has)) continue;
    columns.push_back(&column);
    header.push_back(column.name);
  }
  TextTable table(header);
  for (const FolderRow& row : report.rows) {
    if (!is_predicted(row)) continue;
    std::vector<std::string> cells;
    for (const FolderColumn* column : columns) cells.push_back(column->cell(row));
    table.add_row(std::move(cells));
  }
  return table.empty() ? "" : "\n" + table.text(2) + "\n";
}

// What the words of the column mean.
std::string warnings_text(const FolderReport& report) {
  std::vector<PredictionWarnings> rows;
  for (const FolderRow& row : report.rows) rows.push_back(row.warnings);
  const std::string text = legend_of_warnings(rows);
  return text.empty() ? "" : text + "\n";
}

std::string sum_text(const FolderReport& report) {
  double us = 0;
  std::size_t without_time = 0;
  const std::size_t count = predicted_count(report), failed = report.rows.size() - count;
  for (const FolderRow& row : report.rows) {
    us += row.predicted_us.value_or(0);
    without_time += is_predicted(row) && !row.predicted_us ? 1 : 0;
  }
  std::string text = count_of(count, "model");
  text += without_time < count ? ", " + significant(us, 4) + " us predicted in total" : "";
  if (without_time > 0)
    text += " (" + grouped(static_cast<long long>(without_time)) + " without a predicted time)";
  return text + (failed > 0 ? "; " + count_of(failed, "file") + " failed" : "") + "\n";
}

}  // namespace

void fill_in(const NetsReport& nets, bool with_json, FolderRow& row) {
  const ModelRunReport& report = believed(nets);
  const Prediction& prediction = report.prediction;
  row.model = report.model->name;
  row.net = report.net;
  row.device = report.device->described();
  if (report.model->device != report.device->name) row.profiled_on = report.model->device;
  row.launches = prediction.launches.size();
  if (row.launches == 1) {
    const LaunchPrediction& launch = prediction.launches[0];
    row.kernel = launch.kernel;
    row.grid = launch.grid;
    row.block = launch.block;
  }
  row.steps = prediction.mean_steps();
  row.predicted_us = predicted_us(report);
  if (const ModelRunReport* other = beside_believed(nets)) row.beside_us = predicted_us(*other);
  if (report.measured) row.measured_us = report.measured->median_us;
  if (!report.measured) row.profiled_us = profiled_us(report);
  row.outcome = prediction.outcome;
  row.warnings = report.warnings;
  if (report.reasons) row.busiest_unit = busiest_unit_text(*report.reasons);
  if (!with_json) return;
  Json json{{"file", row.file}};
  json.update(to_json(nets));
  row.json = indented(json.dump(2));
}

std::string text_of(const FolderReport& report) {
  return head_text(report) + rows_text(report) + warnings_text(report) + sum_text(report);
}

std::string json_of(const FolderReport& report) {
  std::string models;
  Json failed = Json::array();
  for (const FolderRow& row : report.rows) {
    if (is_predicted(row)) {
      models += (models.empty() ? "\n    " : ",\n    ") + row.json;
    } else {
      failed.push_back(Json{
          {"file", row.file}, {"error", row.error}, {"exit_code", static_cast<int>(row.code)}});
    }
  }
  // The name of a file that failed may be invalid UTF-8.
  std::string tail = Json{{"failed", failed}}.dump(2, ' ', false, Json::error_handler_t::replace);
  return "{\n  \"models\": [" + models + (models.empty() ? "]," : "\n  ],") + tail.substr(1) + "\n";
}

std::string csv_of(const FolderReport& report) {
  const auto us = [](const std::optional<double>& value) {
    return value ? fixed(*value, 6) : std::string();
  };
  std::string csv;
  const auto add_line = [&](std::vector<std::string> cells, const std::string& net) {
    if (!report.net_was_given) cells.push_back(net);
    csv += csv_line(cells);
  };
  add_line({"file", "model", "kernel", "launches", "grid", "block", "steps", "predicted_us",
            "measured_us", "profiled_us", "outcome", "mode", "warnings"},
           "net");
  for (const FolderRow& row : report.rows) {
    if (!is_predicted(row)) continue;
    const bool one = row.launches == 1;
    add_line({row.file, row.model, row.kernel, std::to_string(row.launches),
              one ? std::to_string(row.grid) : "", one ? std::to_string(row.block) : "",
              fixed(row.steps, 3), us(row.predicted_us), us(row.measured_us), us(row.profiled_us),
              std::string(outcome_name(row.outcome)), report.mode, kinds_text(row.warnings)},
             row.net);
  }
  return csv;
}

ExitCode exit_code_of(const FolderReport& report) {
  const auto is_not_ok = [](const FolderRow& row) { return row.code != ExitCode::kOk; };
  const auto first = std::find_if(report.rows.begin(), report.rows.end(), is_not_ok);
  return first == report.rows.end() ? ExitCode::kOk : first->code;
}

}  // namespace pnsim
