// Comparisons as JSON, as tables and as CSV.
#include <cmath>

#include "simulator/analysis/questions/comparison.h"
#include "simulator/base/csv.h"
#include "simulator/base/table.h"

namespace pnsim {
namespace {

std::string signed_us(double us) {
  constexpr double kNothing = 1e-6;  // rounding of sums
  return std::abs(us) < kNothing ? "0" : (us > 0 ? "+" : "") + significant(us, 3);
}

// The time of a row on a side; nothing on a side without a time.
std::optional<double> row_us(const Comparison& c, const ComparedRow& row, std::size_t side) {
  return c.sides[side].us ? std::optional(row.us[side]) : std::nullopt;
}

std::optional<double> row_difference(const Comparison& c, const ComparedRow& row) {
  return has_times(c) ? std::optional(row.us[1] - row.us[0]) : std::nullopt;
}

Json number_or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

std::string number_or_nothing(const std::optional<double>& value) {
  return value ? fixed(*value, 6) : "";
}

Json compared_rows_json(const Comparison& c, const std::vector<ComparedRow>& rows) {
  Json out = Json::array();
  for (const ComparedRow& row : rows) {
    Json us = Json::array();
    for (std::size_t s = 0; s < 2; ++s) us.push_back(number_or_null(row_us(c, row, s)));
    out.push_back(Json{{"name", row.name},
                       {"share", row.share},
                       {"cycles", row.cycles},
                       {"us", us},
                       {"difference_us", number_or_null(row_difference(c, row))}});
  }
  return out;
}

Json side_json(const ComparedSide& side) {
  Json out{{"model", side.name},
           {"problem", side.problem},
           {"device", side.device},
           {"what_if", side.what_if},
           {"steps", side.steps}};
  out["outcome"] = outcome_name(side.outcome);
  out["time_us"] = number_or_null(side.us);
  out["measured_us"] = number_or_null(side.measured_us);
  out["nearest_limit"] = limit_text(side.reasons);
  if (!side.estimate.empty()) out["device_estimate"] = side.estimate;
  out["warnings"] = to_json(side.warnings);
  return out;
}

// A table of both sides and their difference in time.
std::string compared_table(const Comparison& c, const std::vector<ComparedRow>& rows,
                           const std::string& name) {
  TextTable table({name, "a cycles", "a %", "b cycles", "b %", "b - a us"});
  for (const ComparedRow& row : rows) {
    table.add_row({row.name, fixed(row.cycles[0], 0), fixed(100 * row.share[0], 1),
                   fixed(row.cycles[1], 0), fixed(100 * row.share[1], 1),
                   has_times(c) ? signed_us(row.us[1] - row.us[0]) : "-"});
  }
  return table.text(2);
}

// Lines of at most 100 characters.
std::string wrapped(const std::string& text) {
  constexpr std::size_t kWidth = 100;
  std::string out, line;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (!line.empty() && line.size() + 1 + end - begin > kWidth) {
      out += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + text.substr(begin, end - begin);
    begin = end + 1;
  }
  return out + line + "\n";
}

// What the side rests on: a shape that was not recorded, an estimated device, warnings.
std::string side_notes(const Comparison& c, std::size_t s) {
  const ComparedSide& side = c.sides[s];
  std::string text;
  if (!side.what_if.empty()) {
    text += wrapped("The shape " + side.problem + " was not recorded: a what-if (" + side.what_if +
                    ").");
  }
  const bool is_said = s == 1 && c.sides[0].device == side.device;
  if (!side.estimate.empty() && !is_said) {
    text += wrapped("The device " + side.device + " is an estimate: " + side.estimate + ".");
  }
  const std::string warnings = text_of(side.warnings);
  return warnings.empty() ? text : text + "side " + (s == 0 ? "a" : "b") + ":\n" + warnings;
}

}  // namespace

Json to_json(const Comparison& c) {
  Json out{{"net", c.net}, {"mode", c.mode}};
  out["a"] = side_json(c.sides[0]);
  out["b"] = side_json(c.sides[1]);
  const auto faster = faster_side(c);
  out["faster"] = faster ? Json(*faster == 0 ? "a" : "b") : Json(nullptr);
  out["other_work"] = c.other_work;
  out["why"] = why_text(c);
  out["reasons"] = compared_rows_json(c, c.reasons);
  out["units"] = compared_rows_json(c, c.units);
  return out;
}

std::string text_of(const Comparison& c) {
  TextTable sides({"side", "model", "point", "device", "steps", "predicted us", "measured us"});
  for (std::size_t s = 0; s < 2; ++s) {
    const ComparedSide& side = c.sides[s];
    sides.add_row({s == 0 ? "a" : "b", side.name,
                   side.problem + (side.what_if.empty() ? "" : " (what-if)"),
                   side.device + (side.estimate.empty() ? "" : " (estimate)"), fixed(side.steps, 0),
                   side.us ? significant(*side.us, 4) : std::string(outcome_name(side.outcome)),
                   side.measured_us ? significant(*side.measured_us, 4) : "-"});
  }
  std::string text = "Net " + c.net + ", " + c.mode + "\n\n" + sides.text(2) + "\n" +
                     compared_table(c, c.reasons, "a scheduler's cycles go to") + "\n" +
                     compared_table(c, c.units, "unit is busy") + "\n" + wrapped(why_text(c));
  for (std::size_t s = 0; s < 2; ++s) text += side_notes(c, s);
  return text;
}

std::string csv_of(const Comparison& c) {
  std::string csv = csv_line({"kind", "name", "a_share", "b_share", "a_cycles", "b_cycles", "a_us",
                              "b_us", "difference_us"});
  const auto add = [&](const std::string& kind, const ComparedRow& row) {
    csv += csv_line({kind, row.name, fixed(row.share[0], 6), fixed(row.share[1], 6),
                     fixed(row.cycles[0], 1), fixed(row.cycles[1], 1),
                     number_or_nothing(row_us(c, row, 0)), number_or_nothing(row_us(c, row, 1)),
                     number_or_nothing(row_difference(c, row))});
  };
  add("time", {"predicted",
               {1, 1},
               {c.sides[0].steps, c.sides[1].steps},
               {c.sides[0].us.value_or(0), c.sides[1].us.value_or(0)}});
  for (const ComparedRow& row : c.reasons) add("reason", row);
  for (const ComparedRow& row : c.units) add("unit", row);
  return csv;
}

}  // namespace pnsim
