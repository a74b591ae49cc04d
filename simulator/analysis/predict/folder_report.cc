#include "simulator/analysis/predict/folder_report.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "simulator/analysis/predict/expected_time.h"
#include "simulator/analysis/predict/folder_table.h"
#include "simulator/analysis/predict/known_errors.h"
#include "simulator/base/csv.h"
#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/base/stats.h"
#include "simulator/base/table.h"

namespace pnsim {
namespace {

// Indents JSON for its position in an array of an object. Strings in JSON contain no line breaks.
std::string indented(const std::string& json) {
  std::string out;
  for (const char c : json) c == '\n' ? out += "\n    " : out += c;
  return out;
}

std::string count_of(std::size_t count, const std::string& what) {
  return grouped(static_cast<long long>(count)) + " " + what + (count == 1 ? "" : "s");
}

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
  const std::vector<const FolderRow*> shown = shown_rows(report);
  if (std::any_of(shown.begin(), shown.end(),
                  [](const FolderRow* row) { return row->predicted_us && row->stands_for; })) {
    const Totals all = totals_of(report);
    text += launches_legend(all.silent, all.rows) + "\n";
  }
  return text.empty() ? "" : text + "\n";
}

// How much of the time is that of models with warnings.
std::string warned_text(const FolderReport& report) {
  const Totals all = totals_of(report);
  double us = 0;
  std::size_t count = 0;
  for (const FolderRow& row : report.rows) {
    if (row.warnings.empty() || !row.predicted_us) continue;
    us += *row.predicted_us * weight_of(row.stands_for);
    ++count;
  }
  if (count == 0) return "";
  return "  " + count_of(count, "model") + " with warnings: " + significant(us, 4) + " us (" +
         fixed(100 * us / all.us, 1) + " %) of the predicted time is less certain\n";
}

// What the words of the column mean.
std::string warnings_text(const FolderReport& report) {
  std::vector<PredictionWarnings> rows;
  for (const FolderRow& row : report.rows) rows.push_back(row.warnings);
  const std::string text = legend_of_warnings(rows);
  return text.empty() ? "" : text + warned_text(report) + "\n";
}

std::string percent_of(double part, double all) { return fixed(100 * part / all, 0) + " %"; }

std::string shown_order(FolderOrder order) {
  if (order == FolderOrder::kTime) return ", those with most time";
  if (order == FolderOrder::kError) return ", those with the largest errors";
  return ", the first by file name; --sort time shows those with most time";
}

std::string sum_text(const FolderReport& report) {
  std::size_t without_time = 0;
  bool is_profiled = false;
  const std::size_t count = predicted_count(report), failed = report.rows.size() - count;
  for (const FolderRow& row : report.rows) {
    without_time += is_predicted(row) && !row.predicted_us ? 1 : 0;
    is_profiled |= row.profiled_us.has_value();
  }
  std::string text = count_of(count, "model");
  if (without_time < count) {
    const Totals all = totals_of(report);
    text += ", " + significant(all.us, 4) + " us predicted in total" +
            (all.expected_us ? ", " + significant(*all.expected_us, 4) + " us expected (" +
                                   percent_of(all.from_profile_us, *all.expected_us) +
                                   " of it from profiled times)"
                             : "") +
            (all.counts_launches()
                 ? ", for " + launches_cell(all.launches) + " launches of their program"
             : is_profiled ? "; each launch counts once, however often its program makes it"
                           : "");
  }
  if (without_time > 0)
    text += " (" + grouped(static_cast<long long>(without_time)) + " without a predicted time)";
  const std::size_t shown = shown_rows(report).size();
  if (shown < count)
    text += "; " + grouped(static_cast<long long>(shown)) + " of them are shown" +
            shown_order(report.view.order);
  return text + (failed > 0 ? "; " + count_of(failed, "file") + " failed" : "") + "\n";
}

// How far the times of profiled launches are to be trusted; "" for other models.
std::string typical_text(const FolderReport& report) {
  const auto is_profiled = [](const FolderRow& row) { return row.profiled_us.has_value(); };
  if (std::none_of(report.rows.begin(), report.rows.end(), is_profiled)) return "";
  std::string errors = first_errors_text();
  errors.insert(errors.find("; of ") + 1, "\n ");
  return "typical error of a launch, predicted in its program: " + errors + "\n";
}

}  // namespace

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
    row.template_arguments = launch.template_arguments;
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
  row.stands_for = stands_for(*report.model);
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
         sum_text(report) + typical_text(report);
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
            "measured_us", "profiled_us", "outcome", "mode", "warnings", "expected_us",
            "template_arguments", "stands_for"},
           "net");
  for (const FolderRow* shown : shown_rows(report)) {
    const FolderRow& row = *shown;
    const bool one = row.launches == 1;
    add_line({row.file, row.model, row.kernel, std::to_string(row.launches),
              one ? std::to_string(row.grid) : "", one ? std::to_string(row.block) : "",
              fixed(row.steps, 3), us(row.predicted_us), us(row.measured_us), us(row.profiled_us),
              std::string(outcome_name(row.outcome)), report.mode, kinds_text(row.warnings),
              us(row.expected_us), row.template_arguments, launches_csv(row.stands_for)},
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
