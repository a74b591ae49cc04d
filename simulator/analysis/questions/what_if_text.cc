// What-if predictions as JSON, as a table and as CSV.
#include "simulator/analysis/predict/run_report.h"
#include "simulator/analysis/questions/what_if.h"
#include "simulator/base/csv.h"
#include "simulator/base/table.h"

namespace pnsim {
namespace {

std::string percent(std::optional<double> change) {
  if (!change) return "-";
  const std::string text = fixed(100 * *change, 1);
  return *change > 0 && text != "0.0" ? "+" + text : text == "-0.0" ? "0.0" : text;
}

std::string us_text(std::optional<double> time_us) {
  return time_us ? significant(*time_us, 4) + " us" : "- (not every run ended)";
}

Json json_or_null(std::optional<double> number) { return number ? Json(*number) : Json(nullptr); }

std::string cell(std::optional<double> number, int digits) {
  return number ? fixed(*number, digits) : "";
}

std::optional<double> percents(std::optional<double> change) {
  if (change) *change *= 100;
  return change;
}

}  // namespace

Json to_json(const WhatIfReport& report) {
  Json out{{"model", report.model}, {"net", report.net}, {"device", report.device}};
  out["engine"] = engine_name(report.options.engine);
  out["seed"] = report.options.seed;
  out["replicas"] = report.options.replicas;
  out["parameters"] = parameters_json(report.parameters);
  for (const auto& [axis, value] : report.problem) out["parameters"][axis] = value;
  out["outcome"] = outcome_name(report.outcome);
  out["time_us"] = json_or_null(report.time_us);
  out["what_if"] = Json::array();
  for (const WhatIfRow& row : report.rows) {
    out["what_if"].push_back(Json{{"what", row.what},
                                  {"time_us", json_or_null(row.time_us)},
                                  {"change_percent", json_or_null(percents(row.change))}});
  }
  return out;
}

std::string text_of(const WhatIfReport& report) {
  TextTable table({"with", "predicted us", "change %"});
  bool all_ended = report.time_us.has_value();
  for (const WhatIfRow& row : report.rows) {
    all_ended = all_ended && row.time_us;
    table.add_row(
        {row.what, row.time_us ? significant(*row.time_us, 4) : "-", percent(row.change)});
  }
  return report.model + " (" + problem_text(report.problem) + ") on net " + report.net + ", " +
         report.device + ": " + us_text(report.time_us) + "\n\n" + table.text(2) +
         (all_ended ? "" : "\n-: not every run ended\n");
}

std::string csv_of(const WhatIfReport& report) {
  std::string csv = csv_line({"what", "time_us", "change_percent"});
  csv += csv_line({"as it is", cell(report.time_us, 6), "0"});
  for (const WhatIfRow& row : report.rows) {
    csv += csv_line({row.what, cell(row.time_us, 6), cell(percents(row.change), 3)});
  }
  return csv;
}

}  // namespace pnsim
