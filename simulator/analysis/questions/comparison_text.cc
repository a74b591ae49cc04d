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

Json compared_rows_json(const std::vector<ComparedRow>& rows) {
  Json out = Json::array();
  for (const ComparedRow& row : rows) {
    out.push_back(Json{{"name", row.name},
                       {"share", row.share},
                       {"cycles", row.cycles},
                       {"us", row.us},
                       {"difference_us", row.us[1] - row.us[0]}});
  }
  return out;
}

Json side_json(const ComparedSide& side) {
  Json out{{"model", side.name},      {"problem", side.problem}, {"device", side.device},
           {"what_if", side.what_if}, {"steps", side.steps},     {"time_us", side.us}};
  out["measured_us"] = side.measured_us ? Json(*side.measured_us) : Json(nullptr);
  out["nearest_limit"] = limit_text(side.reasons);
  return out;
}

// A table of both sides and their difference in time.
std::string compared_table(const std::vector<ComparedRow>& rows, const std::string& name) {
  TextTable table({name, "a cycles", "a %", "b cycles", "b %", "b - a us"});
  for (const ComparedRow& row : rows) {
    table.add_row({row.name, fixed(row.cycles[0], 0), fixed(100 * row.share[0], 1),
                   fixed(row.cycles[1], 0), fixed(100 * row.share[1], 1),
                   signed_us(row.us[1] - row.us[0])});
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

}  // namespace

Json to_json(const Comparison& c) {
  Json out{{"net", c.net}, {"mode", c.mode}};
  out["a"] = side_json(c.sides[0]);
  out["b"] = side_json(c.sides[1]);
  const auto faster = faster_side(c);
  out["faster"] = faster ? Json(*faster == 0 ? "a" : "b") : Json(nullptr);
  out["other_work"] = c.other_work;
  out["why"] = why_text(c);
  out["reasons"] = compared_rows_json(c.reasons);
  out["units"] = compared_rows_json(c.units);
  return out;
}

std::string text_of(const Comparison& c) {
  TextTable sides({"side", "model", "point", "device", "steps", "predicted us", "measured us"});
  for (std::size_t s = 0; s < 2; ++s) {
    const ComparedSide& side = c.sides[s];
    sides.add_row({s == 0 ? "a" : "b", side.name,
                   side.problem + (side.what_if.empty() ? "" : " (what-if)"), side.device,
                   fixed(side.steps, 0), significant(side.us, 4),
                   side.measured_us ? significant(*side.measured_us, 4) : "-"});
  }
  std::string text = "Net " + c.net + ", " + c.mode + "\n\n" + sides.text(2) + "\n" +
                     compared_table(c.reasons, "a scheduler's cycles go to") + "\n" +
                     compared_table(c.units, "unit is busy") + "\n" + wrapped(why_text(c));
  for (const ComparedSide& side : c.sides) {
    if (side.what_if.empty()) continue;
    text += wrapped("The shape " + side.problem + " was not recorded: a what-if (" + side.what_if +
                    ").");
  }
  return text;
}

std::string csv_of(const Comparison& c) {
  std::string csv = csv_line({"kind", "name", "a_share", "b_share", "a_cycles", "b_cycles", "a_us",
                              "b_us", "difference_us"});
  const auto add = [&](const std::string& kind, const ComparedRow& row) {
    csv += csv_line({kind, row.name, fixed(row.share[0], 6), fixed(row.share[1], 6),
                     fixed(row.cycles[0], 1), fixed(row.cycles[1], 1), fixed(row.us[0], 6),
                     fixed(row.us[1], 6), fixed(row.us[1] - row.us[0], 6)});
  };
  add("time",
      {"predicted", {1, 1}, {c.sides[0].steps, c.sides[1].steps}, {c.sides[0].us, c.sides[1].us}});
  for (const ComparedRow& row : c.reasons) add("reason", row);
  for (const ComparedRow& row : c.units) add("unit", row);
  return csv;
}

}  // namespace pnsim
