#include "simulator/model/derive/raw_row.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "simulator/base/csv.h"
#include "simulator/base/error.h"
#include "simulator/base/numbers.h"
#include "simulator/model/sass/kernel_name.h"
#include "simulator/model/sass/page_text.h"

namespace pnsim {
namespace {

constexpr double kMaxProfiledCount = 0x1p50;  // far over any launch; sums of columns stay exact

// "4,096" -> 4096.
std::optional<double> number_in(std::string_view text) {
  const auto digits = without_separators(text);
  const std::optional<double> value = digits ? parse_double(*digits) : std::nullopt;
  return value && std::isfinite(*value) ? value : std::nullopt;
}

double parse_number(const std::string& text, const std::string& where) {
  if (const auto value = number_in(text)) return *value;
  fail_input(where, "found \"" + text + "\", expected a number");
}

// The factor to bytes, microseconds or plain counts; nothing for other units. The profiler's
// prefixes are decimal.
std::optional<double> known_unit_factor(const std::string& unit) {
  static const std::map<std::string, double> kFactors = {
      {"Kbyte", 1e3},       {"Mbyte", 1e6}, {"Gbyte", 1e9},    {"Kbyte/block", 1e3},
      {"Mbyte/block", 1e6}, {"ns", 1e-3},   {"nsecond", 1e-3}, {"us", 1},
      {"usecond", 1},       {"ms", 1e3},    {"msecond", 1e3},  {"s", 1e6},
      {"second", 1e6}};
  if (const auto it = kFactors.find(unit); it != kFactors.end()) return it->second;
  static const std::string kPlain[] = {
      "",       "inst",   "warp",    "block",           "byte",  "byte/block",
      "thread", "sector", "sectors", "register/thread", "cycle", "SM"};
  if (std::find(std::begin(kPlain), std::end(kPlain), unit) != std::end(kPlain)) return 1;
  return std::nullopt;
}

double unit_factor(const std::string& unit, const std::string& where) {
  if (const auto factor = known_unit_factor(unit)) return *factor;
  fail_input(where, "unknown unit \"" + unit + "\"");
}

}  // namespace

std::string quoted_columns(const std::vector<std::string>& columns) {
  std::string text;
  for (const std::string& column : columns) text += (text.empty() ? "\"" : ", \"") + column + "\"";
  return text;
}

std::string RawRow::text(const std::string& column) const {
  const std::size_t c = find(column);
  if (c < header_.size()) return cells_[c];
  fail_input(origin_, "the column \"" + column +
                          "\" is missing; docs/derive.md has the ncu "
                          "command that asks for it");
}

bool RawRow::has_value(const std::string& column) const {
  static const std::string kNone[] = {"", "n/a", "N/A", "no data", "nan", "-"};
  const std::size_t c = find(column);
  return c < header_.size() &&
         std::find(std::begin(kNone), std::end(kNone), cells_[c]) == std::end(kNone);
}

double RawRow::number(const std::string& column) const {
  const std::string where = origin_ + ", column " + column;
  const std::string cell = text(column);
  return parse_number(cell, where) * unit_factor(units_[find(column)], where);
}

std::int64_t RawRow::count(const std::string& column) const {
  const double value = number(column);
  if (value < 0 || value > kMaxProfiledCount || std::abs(value - std::round(value)) > 1e-3) {
    fail_input(origin_ + ", column " + column, "found " + text(column) + ", expected a count");
  }
  return static_cast<std::int64_t>(std::llround(value));
}

double RawRow::percent(const std::string& column) const {
  const std::string where = origin_ + ", column " + column;
  const double value = parse_number(text(column), where);
  if (units_[find(column)] != "%")
    fail_input(where, "found the unit \"" + units_[find(column)] + "\", expected %");
  constexpr double kMostPercent = 100.5;  // room for rounding, and for runs that differ
  if (value < 0 || value > kMostPercent)
    fail_input(where, "found " + text(column) + ", expected 0 to 100 %");
  return value;
}

std::map<std::string, double> RawRow::numbers() const {
  std::map<std::string, double> out;
  for (std::size_t c = 0; c < header_.size(); ++c) {
    const auto factor = known_unit_factor(units_[c]);
    const auto value = number_in(cells_[c]);
    if (factor && value) out[header_[c]] = *value * *factor;
  }
  return out;
}

std::string RawRow::kernel() const {
  const std::size_t c = find("Kernel Name");
  return c < header_.size() ? " (" + plain_kernel_name(cells_[c]) + ")" : "";
}

std::size_t RawRow::find(const std::string& column) const {
  return static_cast<std::size_t>(std::find(header_.begin(), header_.end(), column) -
                                  header_.begin());
}

CsvRows raw_page_rows(const std::string& csv_text, const std::string& origin) {
  const std::string page = page_of(csv_text);
  if (!begins_as(page, PageKind::kRaw)) fail_other_page(page, origin, PageKind::kRaw);
  CsvRows rows = parse_csv(page, origin);
  if (rows.size() < 3) fail_page_of("it has no launch", origin, PageKind::kRaw);
  std::set<std::string> columns;
  for (const std::string& column : rows[0]) {
    if (!columns.insert(column).second)
      fail_input(origin + ": row 1", "the column \"" + column + "\" stands twice");
  }
  for (std::size_t r = 1; r < rows.size(); ++r) {
    if (rows[r].size() == rows[0].size()) continue;
    fail_input(origin + ": row " + std::to_string(r + 1),
               "found " + std::to_string(rows[r].size()) + " cells, expected " +
                   std::to_string(rows[0].size()));
  }
  return rows;
}

}  // namespace pnsim
