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
#include "simulator/base/provenance.h"
#include "simulator/base/table.h"
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

enum class Dimension { kCount, kBytes, kTime };

struct Unit {
  const char* name;
  Dimension dimension;
  double factor;  // to bytes, microseconds or plain counts; the profiler's prefixes are decimal
};
constexpr Unit kUnits[] = {{"byte", Dimension::kBytes, 1},
                           {"Kbyte", Dimension::kBytes, 1e3},
                           {"Mbyte", Dimension::kBytes, 1e6},
                           {"Gbyte", Dimension::kBytes, 1e9},
                           {"Tbyte", Dimension::kBytes, 1e12},
                           {"byte/block", Dimension::kBytes, 1},
                           {"Kbyte/block", Dimension::kBytes, 1e3},
                           {"Mbyte/block", Dimension::kBytes, 1e6},
                           {"ns", Dimension::kTime, 1e-3},
                           {"nsecond", Dimension::kTime, 1e-3},
                           {"us", Dimension::kTime, 1},
                           {"usecond", Dimension::kTime, 1},
                           {"ms", Dimension::kTime, 1e3},
                           {"msecond", Dimension::kTime, 1e3},
                           {"s", Dimension::kTime, 1e6},
                           {"second", Dimension::kTime, 1e6},
                           {"", Dimension::kCount, 1},
                           {"inst", Dimension::kCount, 1},
                           {"warp", Dimension::kCount, 1},
                           {"block", Dimension::kCount, 1},
                           {"thread", Dimension::kCount, 1},
                           {"sector", Dimension::kCount, 1},
                           {"sectors", Dimension::kCount, 1},
                           {"request", Dimension::kCount, 1},
                           {"register/thread", Dimension::kCount, 1},
                           {"cycle", Dimension::kCount, 1},
                           {"SM", Dimension::kCount, 1}};

const Unit* find_unit(const std::string& name) {
  const auto it = std::find_if(std::begin(kUnits), std::end(kUnits),
                               [&](const Unit& unit) { return unit.name == name; });
  return it == std::end(kUnits) ? nullptr : &*it;
}

// What a column holds, of those that are read.
Dimension dimension_of(const std::string& column) {
  if (column.starts_with("gpu__time_duration")) return Dimension::kTime;
  const bool is_bytes = column.starts_with("dram__bytes") ||
                        column.starts_with("launch__shared_mem_per_block") ||
                        column.starts_with("l1tex__m_xbar2l1tex_read_bytes");
  return is_bytes ? Dimension::kBytes : Dimension::kCount;
}

const char* units_of(Dimension dimension) {
  switch (dimension) {
    case Dimension::kBytes:
      return "byte, Kbyte, Mbyte, Gbyte or Tbyte";
    case Dimension::kTime:
      return "ns, us, ms or s";
    case Dimension::kCount:
      break;
  }
  return "a unit of counts, such as inst or sector";
}

double unit_factor(const std::string& name, Dimension dimension, const std::string& where) {
  const Unit* unit = find_unit(name);
  if (unit && unit->dimension == dimension) return unit->factor;
  fail_input(where, "found the unit \"" + name + "\", expected " + units_of(dimension));
}

bool is_header(const std::vector<std::string>& row) { return !row.empty() && row[0] == "ID"; }

// Where the columns or units of the second of two joined pages differ, its numbers would be taken
// for others.
void check_joined_pages(const CsvRows& rows, std::size_t r, const std::string& origin) {
  if (!is_header(rows[r])) return;
  const bool has_units = r + 1 < rows.size() && !rows[r + 1].empty() && rows[r + 1][0].empty();
  if (rows[r] == rows[0] && (!has_units || rows[r + 1] == rows[1])) return;
  fail_input(origin + ": row " + std::to_string(r + 1),
             "found a second header with other columns or units, as if two pages were joined; "
             "give each page to a command of its own");
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
  return parse_number(cell, where) * unit_factor(units_[find(column)], dimension_of(column), where);
}

std::int64_t RawRow::count(const std::string& column) const {
  const double value = number(column);
  if (value < 0 || value > kMaxProfiledCount || std::abs(value - std::round(value)) > 1e-3) {
    const std::string& unit = units_[find(column)];
    fail_input(origin_ + ", column " + column,
               "found " + text(column) + (unit.empty() ? "" : " " + unit) + ", expected a count: " +
                   "a whole number from 0 to " + significant(kMaxProfiledCount, 3));
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
    const Unit* unit = find_unit(units_[c]);
    const auto value = number_in(cells_[c]);
    if (unit && value) out[header_[c]] = *value * unit->factor;
  }
  return out;
}

std::string RawRow::kernel() const {
  const std::size_t c = find("Kernel Name");
  return c < header_.size() ? " (" + name_for_json(plain_kernel_name(cells_[c])) + ")" : "";
}

std::size_t RawRow::find(const std::string& column) const {
  return static_cast<std::size_t>(std::find(header_.begin(), header_.end(), column) -
                                  header_.begin());
}

CsvRows raw_page_rows(const std::string& csv_text, const std::string& origin) {
  const std::string page = page_of(csv_text, origin);
  if (!begins_as(page, PageKind::kRaw)) fail_other_page(page, origin, PageKind::kRaw);
  CsvRows rows = parse_csv(page, origin);
  if (rows.size() < 3) fail_page_of("it has no launch", origin, PageKind::kRaw);
  std::set<std::string> columns;
  for (const std::string& column : rows[0]) {
    if (!columns.insert(column).second)
      fail_input(origin + ": row 1", "the column \"" + column + "\" stands twice");
  }
  for (std::size_t r = 1; r < rows.size(); ++r) {
    check_joined_pages(rows, r, origin);
    if (rows[r].size() == rows[0].size()) continue;
    fail_input(origin + ": row " + std::to_string(r + 1),
               "found " + std::to_string(rows[r].size()) + " cells, expected " +
                   std::to_string(rows[0].size()));
  }
  return rows;
}

std::string with_column(const std::string& csv_text, const std::string& origin,
                        const std::string& column, const std::vector<std::string>& cells) {
  CsvRows rows = raw_page_rows(csv_text, origin);
  if (rows.size() != cells.size() + 2) {
    fail_input(origin, "found " + std::to_string(rows.size() - 2) + " launches, expected " +
                           std::to_string(cells.size()));
  }
  if (std::find(rows[0].begin(), rows[0].end(), column) != rows[0].end())
    fail_input(origin + ": row 1", "found the column " + column + ", expected none");
  std::string out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].push_back(i == 0 ? column : i == 1 ? "" : cells[i - 2]);  // row 1 has the units
    out += csv_line(rows[i]);
  }
  return out;
}

std::string fault_of_joined_pages(const CsvRows& rows, std::size_t row, const std::string& origin) {
  const bool is_units = row > 2 && is_header(rows[row - 1]) && rows[row] == rows[1];
  if (!is_units && !is_header(rows[row])) return "";
  return origin + ": row " + std::to_string(row + 1) + ": repeats the " +
         (is_units ? "units of row 2" : "header of row 1") +
         ", as if two pages were joined; give each page to a command of its own";
}

}  // namespace pnsim
