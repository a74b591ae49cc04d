// Sensitivities as JSON, as a table and as CSV.
#include <cmath>

#include "simulator/analysis/questions/sensitivity.h"
#include "simulator/base/csv.h"
#include "simulator/base/table.h"

namespace pnsim {
namespace {

Json json_of(const WithError& number) {
  return Json{{"value", number.value},
              {"stderr", number.standard_error ? Json(*number.standard_error) : Json(nullptr)},
              {"half_width_95", number.half_width ? Json(*number.half_width) : Json(nullptr)}};
}

Json json_of(const Sensitivity& row) {
  Json out{{"parameter", row.parameter}, {"value", row.value}};
  const bool known = row.why_not.empty();
  out["low"] = known ? Json(row.low) : Json(nullptr);
  out["high"] = known ? Json(row.high) : Json(nullptr);
  out["steps_low"] = known ? json_of(row.low_steps) : Json(nullptr);
  out["steps_high"] = known ? json_of(row.high_steps) : Json(nullptr);
  out["per_unit"] = known ? json_of(row.per_unit) : Json(nullptr);
  out["elasticity"] = known && row.elasticity ? json_of(*row.elasticity) : Json(nullptr);
  out["replicas"] = known ? Json(row.replicas) : Json(nullptr);
  out["told"] = known ? Json(name_of(row.told)) : Json(nullptr);
  out["why_not"] = known ? Json(nullptr) : Json(row.why_not);
  return out;
}

// Formats whole numbers without decimals.
std::string plain(double value, int digits) {
  const bool is_whole = value == std::floor(value) && std::abs(value) < 1e15;
  return is_whole ? fixed(value, 0) : significant(value, digits);
}

std::string with_error(const WithError& number, int digits) {
  std::string text = plain(number.value, digits);
  if (number.half_width) text += " ± " + significant(*number.half_width, 2);
  return text;
}

}  // namespace

Json to_json(const SensitivityReport& report) {
  Json out{{"model", report.model}, {"net", report.net}};
  out["device"] = report.device.empty() ? Json(nullptr) : Json(report.device);
  out["engine"] = engine_name(report.options.engine);
  out["seed"] = report.options.seed;
  out["replicas"] = report.options.replicas;
  out["parameters"] = parameters_json(report.parameters);
  out["outcome"] = outcome_name(report.outcome);
  out["steps"] = to_json(report.steps);
  out["first_replica_steps"] = report.first_steps;
  out["sensitivities"] = Json::array();
  for (const Sensitivity& row : report.rows) out["sensitivities"].push_back(json_of(row));
  return out;
}

std::string text_of(const SensitivityReport& report) {
  std::string text =
      report.model + " on net " + report.net + ", seed " + std::to_string(report.options.seed) +
      ", " + text_of(report.rule, report.options.replicas) + ": " + text_of(report.steps) +
      " steps" +
      (report.options.replicas > 1
           ? "; the first replica alone, as in a single run: " + plain(report.first_steps, 9)
           : "") +
      "\n";
  if (!report.has_ended) {
    text += std::string("outcome ") + std::string(outcome_name(report.outcome)) +
            ": not every run came to its end\n";
  }
  text += "\n";
  TextTable table(
      {"parameter", "value", "varied to", "steps per unit", "elasticity", "replicas", "remark"});
  std::string notes;
  bool is_hidden = false;
  for (const Sensitivity& row : report.rows) {
    const std::string value = plain(row.value, 6);
    if (!row.why_not.empty()) {
      table.add_row({row.parameter, value, "-", "-", "-", "-", "not varied"});
      notes += "  " + row.parameter + " was not varied: " + row.why_not + "\n";
      continue;
    }
    table.add_row({row.parameter, value, plain(row.low, 6) + " ... " + plain(row.high, 6),
                   with_error(row.per_unit, 4),
                   row.elasticity ? with_error(*row.elasticity, 3) : "-",
                   std::to_string(row.replicas), remark_of(row.told)});
    is_hidden = is_hidden || row.told == Told::kNoise;
  }
  if (is_hidden) {
    notes += "  hidden by the draws: " + std::to_string(report.rule.most) +
             " replicas do not tell the effect from 0; --replicas N runs more\n";
  }
  return text + table.text(2) + notes +
         "\nelasticity: % more steps for 1 % more of the parameter; ± is half of the 95 % "
         "interval, "
         "from the\ndifferences of the same replicas; no change: under " +
         significant(kSmallElasticity, 1) + "\n";
}

std::string csv_of(const SensitivityReport& report) {
  const auto error = [](const WithError& number) {
    return number.standard_error ? plain(*number.standard_error, 9) : std::string();
  };
  std::string csv = csv_line({"parameter", "value", "low", "high", "steps_low", "steps_high",
                              "per_unit", "per_unit_stderr", "elasticity", "elasticity_stderr",
                              "outcome", "replicas", "told"});
  for (const Sensitivity& row : report.rows) {
    std::vector<std::string> cells{row.parameter, plain(row.value, 12)};
    if (row.why_not.empty()) {
      for (const double number :
           {row.low, row.high, row.low_steps.value, row.high_steps.value, row.per_unit.value}) {
        cells.push_back(plain(number, 12));
      }
      cells.push_back(error(row.per_unit));
      cells.push_back(row.elasticity ? plain(row.elasticity->value, 9) : "");
      cells.push_back(row.elasticity ? error(*row.elasticity) : "");
    }
    cells.resize(10);
    cells.emplace_back(outcome_name(report.outcome));
    cells.push_back(row.why_not.empty() ? std::to_string(row.replicas) : "");
    cells.push_back(row.why_not.empty() ? name_of(row.told) : "");
    csv += csv_line(cells);
  }
  return csv;
}

}  // namespace pnsim
