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

Json told_json(const ComparedPoint& point) {
  return point.change ? Json(name_of(point.told)) : Json(nullptr);
}

std::string change_text(const ComparedPoint& point) {
  const std::string text = percent(point.change);
  if (!point.half_width || *point.half_width == 0) return text;
  return text + " ± " + significant(100 * *point.half_width, 2);
}

std::string notes_text(const WhatIfReport& report, bool is_hidden) {
  std::string text = "\nseed " + std::to_string(report.options.seed) + ", " +
                     text_of(report.rule, report.options.replicas);
  if (report.options.replicas == 1) return text + "\n";
  text +=
      "; ± is half of the 95 % interval, from the differences of the same\nreplicas; no change: "
      "under " +
      significant(100 * kSmallChange, 1) + " %\n";
  if (!is_hidden) return text;
  return text + "hidden by the draws: " + std::to_string(report.rule.most) +
         " replicas do not tell the change from 0; --replicas N runs more\n";
}

// "3.806 us, the mean of 64 replicas (the first one alone: 3.792 us, as pnsim --model predicts)"
std::string us_text(const WhatIfReport& report) {
  if (!report.time_us) return "- (not every run ended)";
  const std::string text = significant(*report.time_us, 4) + " us";
  if (report.options.replicas == 1) return text;
  return text + "\n(the mean of " + std::to_string(report.options.replicas) +
         " replicas, as in all rows; the first one alone, which pnsim --model shows: " +
         significant(*report.first_us, 4) + " us)";
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
  out["first_replica_us"] = json_or_null(report.first_us);
  out["what_if"] = Json::array();
  for (const WhatIfRow& row : report.rows) {
    out["what_if"].push_back(Json{{"what", row.what},
                                  {"time_us", json_or_null(row.point.time_us)},
                                  {"change_percent", json_or_null(percents(row.point.change))},
                                  {"half_width_95", json_or_null(percents(row.point.half_width))},
                                  {"replicas", row.point.replicas},
                                  {"told", told_json(row.point)}});
  }
  return out;
}

std::string text_of(const WhatIfReport& report) {
  TextTable table({"with", "predicted us", "change %", "replicas", "remark"});
  bool all_ended = report.time_us.has_value(), is_hidden = false;
  for (const WhatIfRow& row : report.rows) {
    const ComparedPoint& point = row.point;
    all_ended = all_ended && point.time_us;
    is_hidden = is_hidden || point.told == Told::kNoise;
    table.add_row({row.what, point.time_us ? significant(*point.time_us, 4) : "-",
                   change_text(point), std::to_string(point.replicas),
                   point.change ? remark_of(point.told) : ""});
  }
  return titled_model(report.model, " ", report.problem) + " on net " + report.net + ", " +
         report.device + ": " + us_text(report) + "\n\n" + table.text(2) +
         (all_ended ? "" : "\n-: not every run ended\n") + notes_text(report, is_hidden);
}

std::string csv_of(const WhatIfReport& report) {
  std::string csv =
      csv_line({"what", "time_us", "change_percent", "half_width_95_percent", "replicas", "told"});
  csv += csv_line(
      {"as it is", cell(report.time_us, 6), "0", "0", std::to_string(report.options.replicas), ""});
  for (const WhatIfRow& row : report.rows) {
    const ComparedPoint& point = row.point;
    csv += csv_line({row.what, cell(point.time_us, 6), cell(percents(point.change), 3),
                     cell(percents(point.half_width), 3), std::to_string(point.replicas),
                     point.change ? name_of(point.told) : ""});
  }
  return csv;
}

}  // namespace pnsim
