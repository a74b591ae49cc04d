#include "simulator/analysis/predict/folder_report.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "simulator/analysis/predict/expected_time.h"
#include "simulator/analysis/predict/known_errors.h"
#include "simulator/base/csv.h"
#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/base/stats.h"
#include "simulator/base/table.h"

namespace pnsim {
namespace {

constexpr std::size_t kMostOfName = 40;  // characters of a kernel's and a file's name in the table

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

bool is_long(const std::string& name) { return name.size() > kMostOfName; }

std::string kernel_text(const FolderRow& row) {
  if (row.launches != 1) return std::to_string(row.launches) + " launches";
  return shortened(row.kernel);
}

double total_us(const FolderReport& report) {
  double us = 0;
  for (const FolderRow& row : report.rows) us += row.predicted_us.value_or(0);
  return us;
}

// Over the same rows as total_us(); nothing where one of them has no expected time.
std::optional<double> total_expected_us(const FolderReport& report) {
  double us = 0;
  for (const FolderRow& row : report.rows) {
    if (!row.predicted_us) continue;
    if (!row.expected_us) return std::nullopt;
    us += *row.expected_us;
  }
  return us > 0 ? std::optional(us) : std::nullopt;
}

// What --sort orders by, the largest first; nothing where the row has no such number.
std::optional<double> order_key(const FolderRow& row, FolderOrder order) {
  if (!row.predicted_us || order == FolderOrder::kTime) return row.predicted_us;
  const std::optional<double>& real = row.measured_us ? row.measured_us : row.profiled_us;
  if (!real) return std::nullopt;
  return std::abs(*row.predicted_us / *real - 1);
}

// The predicted rows that are shown, in their order.
std::vector<const FolderRow*> shown_rows(const FolderReport& report) {
  std::vector<const FolderRow*> rows;
  for (const FolderRow& row : report.rows) {
    if (is_predicted(row)) rows.push_back(&row);
  }
  const FolderView& view = report.view;
  if (view.order != FolderOrder::kFile) {
    std::stable_sort(rows.begin(), rows.end(), [&](const FolderRow* a, const FolderRow* b) {
      return order_key(*a, view.order) > order_key(*b, view.order);  // nothing is below all
    });
  }
  if (view.most > 0 && rows.size() > view.most) rows.resize(view.most);
  return rows;
}

std::string us_cell(const std::optional<double>& us) { return us ? significant(*us, 4) : "-"; }

std::string error_cell(const FolderRow& row) {
  if (!row.predicted_us || !row.measured_us) return "-";
  const double error = *row.predicted_us / *row.measured_us - 1;
  return (error >= 0 ? "+" : "") + fixed(100 * error, 1);
}

std::string of_profiled_cell(const FolderRow& row) {
  if (!row.predicted_us || !row.profiled_us) return "-";
  return fixed(100 * *row.predicted_us / *row.profiled_us, 1);
}

std::string share_cell(const FolderRow& row, double all_us) {
  return row.predicted_us && all_us > 0 ? fixed(100 * *row.predicted_us / all_us, 1) : "-";
}

// A column of the table. Most columns are shown only if at least one row has a value.
struct FolderColumn {
  std::string name;
  std::string (*cell)(const FolderRow& row, double all_us);
  bool (*has)(const FolderRow& row);
  bool without_net_only = false;  // shown only without --net
};

const std::vector<FolderColumn>& folder_columns() {
  using Row = const FolderRow&;
  constexpr auto always = [](Row) { return true; };
  constexpr auto is_measured = [](Row row) { return row.measured_us.has_value(); };
  constexpr auto is_profiled = [](Row row) { return row.profiled_us.has_value(); };
  static const std::vector<FolderColumn> columns{
      {"file", [](Row row, double) { return shortened(row.file); }, always},
      {"kernel", [](Row row, double) { return kernel_text(row); }, always},
      {"grid", [](Row row, double) { return row.launches == 1 ? std::to_string(row.grid) : "-"; },
       always},
      {"block", [](Row row, double) { return row.launches == 1 ? std::to_string(row.block) : "-"; },
       always},
      {"steps",
       [](Row row, double) { return fixed(row.steps, row.steps == std::floor(row.steps) ? 0 : 1); },
       always},
      {"predicted us", [](Row row, double) { return us_cell(row.predicted_us); }, always},
      {"net", [](Row row, double) { return row.net; }, always, true},
      {"paper's net us", [](Row row, double) { return us_cell(row.beside_us); },
       [](Row row) { return row.beside_us.has_value(); }, true},
      {"share %", share_cell, [](Row row) { return row.predicted_us.has_value(); }},
      {"measured us", [](Row row, double) { return us_cell(row.measured_us); }, is_measured},
      {"error %", [](Row row, double) { return error_cell(row); }, is_measured},
      {"profiled us", [](Row row, double) { return us_cell(row.profiled_us); }, is_profiled},
      {"% of profiled", [](Row row, double) { return of_profiled_cell(row); }, is_profiled},
      {"expected us", [](Row row, double) { return us_cell(row.expected_us); },
       [](Row row) { return row.expected_us.has_value(); }},
      {"warnings", [](Row row, double) { return kinds_text(row.warnings); },
       [](Row row) { return !row.warnings.empty(); }},
      {"outcome", [](Row row, double) { return std::string(outcome_name(row.outcome)); },
       [](Row row) { return row.outcome != Outcome::kGoal; }},
      {"bottleneck", [](Row row, double) { return row.busiest_unit; },
       [](Row row) { return !row.busiest_unit.empty(); }},
  };
  return columns;
}

// `pnsim derive` names files by their kernels: where these names are long, the kernel is not
// repeated.
bool repeats_kernels(const std::vector<const FolderRow*>& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const auto* row) { return is_long(row->file); });
}

std::string rows_text(const FolderReport& report) {
  const std::vector<const FolderRow*> rows = shown_rows(report);
  const double all_us = total_us(report);
  std::vector<const FolderColumn*> columns;
  std::vector<std::string> header;
  for (const FolderColumn& column : folder_columns()) {
    const auto has = [&](const FolderRow* row) { return column.has(*row); };
    if (column.without_net_only && report.net_was_given) continue;
    if (column.name == "kernel" && repeats_kernels(rows)) continue;
    if (std::none_of(rows.begin(), rows.end(), has)) continue;
    columns.push_back(&column);
    header.push_back(column.name);
  }
  TextTable table(header);
  for (const FolderRow* row : rows) {
    std::vector<std::string> cells;
    for (const FolderColumn* column : columns) cells.push_back(column->cell(*row, all_us));
    table.add_row(std::move(cells));
  }
  return table.empty() ? "" : "\n" + table.text(2) + "\n";
}

// A line on times whose scale is borrowed: the column, and of how many models; "" for none.
std::string borrowed_text(const std::string& column, std::size_t models, const std::string& times) {
  if (models == 0) return "";
  return column + ": the time scale of " + count_of(models, "model") +
         " is borrowed, that is, fitted to other programs;\n  compare " + times +
         " with one another, not with a GPU\n";
}

// What columns of the table mean; "" without them. All models count, shown or not.
std::string columns_text(const FolderReport& report) {
  std::size_t borrowed = 0, beside = 0, profiled = 0, expected = 0;
  for (const FolderRow& row : report.rows) {
    borrowed += row.is_borrowed ? 1 : 0;
    beside += row.beside_is_borrowed && !report.net_was_given ? 1 : 0;
    profiled += row.predicted_us && row.profiled_us && !row.expected_us ? 1 : 0;
    expected += row.expected_us ? 1 : 0;
  }
  std::string text = borrowed_text("predicted us", borrowed, "these times") +
                     borrowed_text("paper's net us", beside, "the paper's net's times");
  if (profiled > 0) {
    text +=
        "% of profiled: the prediction over the time under the profiler, which is usually "
        "longer:\n  back to back, " +
        profiled_shares_text() + "\n";
  }
  if (expected > 0) {
    const std::string bound = fixed(kLongProfiledUs, 0) + " us";
    text += "expected us: from a profiled time of " + bound +
            " on, that time less what the profiler adds (" + expected_error_text() +
            ");\n  below, the prediction\n";
  }
  return text.empty() ? "" : text + "\n";
}

// How much of the time is that of models with warnings.
std::string warned_text(const FolderReport& report) {
  double us = 0;
  std::size_t count = 0;
  for (const FolderRow& row : report.rows) {
    if (row.warnings.empty() || !row.predicted_us) continue;
    us += *row.predicted_us;
    ++count;
  }
  if (count == 0) return "";
  return "  " + count_of(count, "model") + " with warnings: " + significant(us, 4) + " us (" +
         fixed(100 * us / total_us(report), 1) + " %) of the predicted time is less certain\n";
}

// What the words of the column mean.
std::string warnings_text(const FolderReport& report) {
  std::vector<PredictionWarnings> rows;
  for (const FolderRow& row : report.rows) rows.push_back(row.warnings);
  const std::string text = legend_of_warnings(rows);
  return text.empty() ? "" : text + warned_text(report) + "\n";
}

std::string shown_order(FolderOrder order) {
  if (order == FolderOrder::kTime) return ", the longest";
  if (order == FolderOrder::kError) return ", those with the largest errors";
  return ", the first by file name; --sort time shows the longest";
}

std::string sum_text(const FolderReport& report) {
  std::size_t without_time = 0;
  const std::size_t count = predicted_count(report), failed = report.rows.size() - count;
  for (const FolderRow& row : report.rows) {
    without_time += is_predicted(row) && !row.predicted_us ? 1 : 0;
  }
  std::string text = count_of(count, "model");
  if (without_time < count) {
    text += ", " + significant(total_us(report), 4) + " us predicted in total";
    if (const std::optional<double> us = total_expected_us(report))
      text += ", " + significant(*us, 4) +
              " us expected; each launch counts once, however often its " + "program makes it";
  }
  if (without_time > 0)
    text += " (" + grouped(static_cast<long long>(without_time)) + " without a predicted time)";
  const std::size_t shown = shown_rows(report).size();
  if (shown < count)
    text += "; " + grouped(static_cast<long long>(shown)) + " of them are shown" +
            shown_order(report.view.order);
  return text + (failed > 0 ? "; " + count_of(failed, "file") + " failed" : "") + "\n";
}

}  // namespace

// Long names have template arguments, and the number at the start of a file's name identifies it.
std::string shortened(const std::string& name) {
  if (!is_long(name)) return name;
  std::size_t end = kMostOfName - 3;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80)
    --end;  // do not split a UTF-8 character
  return name.substr(0, end) + "...";
}

FolderOrder parse_folder_order(const std::string& word) {
  const std::vector<std::string> known{"file", "time", "error"};
  const auto at = std::find(known.begin(), known.end(), word);
  if (at == known.end()) fail_usage("--sort: unknown \"" + word + "\"" + suggestion(word, known));
  return static_cast<FolderOrder>(at - known.begin());
}

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
  row.is_borrowed = row.predicted_us && has_borrowed_scale(report);
  if (const ModelRunReport* other = beside_believed(nets)) {
    row.beside_us = predicted_us(*other);
    row.beside_is_borrowed = row.beside_us && has_borrowed_scale(*other);
  }
  if (report.measured) row.measured_us = report.measured->median_us;
  if (!report.measured) {
    row.profiled_us = profiled_us(report);
    row.expected_us = expected_us(report);
  }
  row.outcome = prediction.outcome;
  row.warnings = report.warnings;
  if (report.reasons) row.busiest_unit = busiest_unit_text(*report.reasons);
  if (!with_json) return;
  Json json{{"file", row.file}};
  json.update(to_json(nets));
  row.json = indented(json.dump(2));
}

std::string text_of(const FolderReport& report) {
  return head_text(report) + rows_text(report) + columns_text(report) + warnings_text(report) +
         sum_text(report);
}

std::string json_of(const FolderReport& report) {
  std::string models;
  Json failed = Json::array();
  for (const FolderRow* row : shown_rows(report)) {
    models += (models.empty() ? "\n    " : ",\n    ") + row->json;
  }
  for (const FolderRow& row : report.rows) {
    if (is_predicted(row)) continue;
    failed.push_back(
        Json{{"file", row.file}, {"error", row.error}, {"exit_code", static_cast<int>(row.code)}});
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
            "measured_us", "profiled_us", "outcome", "mode", "warnings", "expected_us"},
           "net");
  for (const FolderRow* shown : shown_rows(report)) {
    const FolderRow& row = *shown;
    const bool one = row.launches == 1;
    add_line({row.file, row.model, row.kernel, std::to_string(row.launches),
              one ? std::to_string(row.grid) : "", one ? std::to_string(row.block) : "",
              fixed(row.steps, 3), us(row.predicted_us), us(row.measured_us), us(row.profiled_us),
              std::string(outcome_name(row.outcome)), report.mode, kinds_text(row.warnings),
              us(row.expected_us)},
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
