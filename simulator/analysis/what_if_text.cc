// What would help, as JSON, as a table for people and for spreadsheets.
#include "simulator/analysis/run_report.h"
#include "simulator/analysis/what_if.h"
#include "simulator/base/csv.h"
#include "simulator/base/table.h"

namespace pnsim {
namespace {

std::string percent(double change) {
  const std::string text = fixed(100 * change, 1);
  return change > 0 && text != "0.0" ? "+" + text : text == "-0.0" ? "0.0" : text;
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
  out["time_us"] = report.time_us;
  out["what_if"] = Json::array();
  for (const WhatIfRow& row : report.rows) {
    out["what_if"].push_back(Json{
        {"what", row.what}, {"time_us", row.time_us}, {"change_percent", 100 * row.change}});
  }
  return out;
}

std::string text_of(const WhatIfReport& report) {
  TextTable table({"with", "predicted us", "change %"});
  for (const WhatIfRow& row : report.rows) {
    table.add_row({row.what, significant(row.time_us, 4), percent(row.change)});
  }
  return report.model + " (" + problem_text(report.problem) + ") on net " + report.net + ", " +
         report.device + ": " + significant(report.time_us, 4) + " us\n\n" + table.text(2) +
         (report.outcome == Outcome::kLimit ? "\nnot every run came to its end\n" : "");
}

std::string csv_of(const WhatIfReport& report) {
  std::string csv = csv_line({"what", "time_us", "change_percent"});
  csv += csv_line({"as it is", fixed(report.time_us, 6), "0"});
  for (const WhatIfRow& row : report.rows) {
    csv += csv_line({row.what, fixed(row.time_us, 6), fixed(100 * row.change, 3)});
  }
  return csv;
}

}  // namespace pnsim
