#include "experiments/validate/own_times.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "simulator/base/csv.h"
#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/base/provenance.h"
#include "simulator/model/sass/page_separators.h"
#include "simulator/model/sass/page_text.h"

namespace pnsim::experiments {
namespace {

constexpr double kLeastUs = 1e-3, kMostUs = 1e9;  // time of a launch; others have a wrong unit
constexpr std::int64_t kMostThreads = 1024;       // threads per block
// Blocks of a grid: over CUDA's limit of (2^31 - 1) x 65535 x 65535.
constexpr std::int64_t kMostBlocks = (std::int64_t{1} << 31) * 65535 * 65535;

const std::string kTime = "time_us";
const std::vector<std::string> kNeeded{"index", "kernel", "problem", "block", kTime};
const std::string kInstrumented = "instrumented", kGrid = "grid";
// Both columns or neither.
const std::string kStandsFor = "stands_for", kStandsForUs = "stands_for_us";
constexpr double kMostLaunches = 1e9, kMostProgramUs = 1e12;

template <class T>
std::optional<T> parsed(const std::string& text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// In small letters and without spaces.
std::string plain(const std::string& name) {
  std::string text;
  for (const char c : name) {
    if (c != ' ') text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

// The position of each column of the header.
std::map<std::string, std::size_t> columns_of(const std::vector<std::string>& header,
                                              const std::string& where) {
  std::map<std::string, std::size_t> columns;
  for (std::size_t c = 0; c < header.size(); ++c) {
    if (!columns.emplace(header[c], c).second) {
      fail_input(where, "the column \"" + header[c] + "\" is given twice");
    }
  }
  for (const std::string& name : header) {
    for (const std::string& optional : {kInstrumented, kGrid, kStandsFor, kStandsForUs}) {
      if (name != optional && plain(name) == optional)
        fail_input(where, "found the column \"" + name + "\", expected \"" + optional + "\"");
    }
  }
  for (const auto& [one, other] :
       {std::pair(kStandsFor, kStandsForUs), {kStandsForUs, kStandsFor}}) {
    if (columns.contains(one) && !columns.contains(other))
      fail_input(where,
                 "found the column \"" + one + "\" without \"" + other + "\", expected both");
  }
  for (const std::string& name : kNeeded) {
    if (columns.contains(name)) continue;
    const std::string nearest = nearest_name(name, header);
    fail_input(where,
               "found no column \"" + name + "\"" +
                   (nearest.empty() ? "" : " (the nearest is \"" + nearest + "\")") +
                   ", expected index, kernel, problem, block, time_us and optionally config, "
                   "grid, instrumented, and stands_for with stands_for_us; "
                   "experiment profile -o DIR -- PROGRAM measures such times");
  }
  return columns;
}

// The product of sizes separated by x; 0 for other text, and for a product above `most`.
std::int64_t product_of_sizes(const std::string& sizes, std::int64_t most) {
  std::int64_t product = 1;
  for (std::size_t at = 0; at <= sizes.size();) {
    const std::size_t end = std::min(sizes.find('x', at), sizes.size());
    const auto size = parsed<std::int64_t>(sizes.substr(at, end - at));
    if (!size || *size < 1 || *size > most / product) return 0;
    product *= *size;
    at = end + 1;
  }
  return product;
}

class TimesRow {
 public:
  TimesRow(const std::map<std::string, std::size_t>& columns, const std::vector<std::string>& cells,
           const std::string& where)
      : columns_(columns), cells_(cells), where_(where) {}

  OwnTime read(std::size_t launches) const {
    // The reports have a problem and a configuration as JSON, too.
    OwnTime out{where_,
                0,
                name_for_json(filled("kernel")),
                name_for_json(filled("problem")),
                text("block"),
                0,
                "",
                0,
                false,
                0,
                0};
    if (columns_.contains("config")) out.config = name_for_json(text("config"));
    const auto index = parsed<std::size_t>(text("index"));
    if (!index || *index >= launches) {
      fail("index", "the number of a profiled launch, 0 to " + std::to_string(launches - 1));
    }
    out.index = *index;
    if (!text(kTime).empty() && product_of_sizes(out.block, kMostThreads) == 0) {
      fail("block", "the threads of a block, as 256 or 32x8, 1 to " + std::to_string(kMostThreads));
    }
    if (!text(kTime).empty()) out.blocks = blocks();
    read_stands_for(out);
    if (text(kTime).empty()) return out;
    const auto us = parsed<double>(text(kTime));
    if (!us || !(*us >= kLeastUs && *us <= kMostUs)) {  // this form also rejects nan
      fail(kTime, "microseconds, 0.001 to 10^9");
    }
    out.us = *us;
    out.is_instrumented = is_instrumented();
    return out;
  }

 private:
  const std::string& text(const std::string& column) const { return cells_[columns_.at(column)]; }

  std::int64_t blocks() const {
    if (!columns_.contains(kGrid) || text(kGrid).empty()) return 0;
    const std::int64_t blocks = product_of_sizes(text(kGrid), kMostBlocks);
    if (blocks == 0) fail(kGrid, "the blocks of the grid, as 4096 or 64x64, or nothing");
    return blocks;
  }

  // Both cells may be empty.
  void read_stands_for(OwnTime& out) const {
    if (!columns_.contains(kStandsFor)) return;
    if (text(kStandsFor).empty() && text(kStandsForUs).empty()) return;
    const auto launches = parsed<double>(text(kStandsFor));
    if (!launches || !(*launches >= 1 && *launches <= kMostLaunches))
      fail(kStandsFor, "a number of launches, 1 to 10^9, or nothing in both columns");
    const auto us = parsed<double>(text(kStandsForUs));
    if (!us || !(*us > 0 && *us <= kMostProgramUs))
      fail(kStandsForUs, "microseconds, above 0 and up to 10^12, or nothing in both columns");
    out.stands_for = *launches;
    out.stands_for_us = *us;
  }

  bool is_instrumented() const {
    // `experiment profile` had the column of invocations before that of instrumented times, when
    // all its times were such.
    if (!columns_.contains(kInstrumented)) return columns_.contains("invocation");
    const std::string& value = text(kInstrumented);
    if (value != "0" && value != "1") {
      fail(kInstrumented, "1 for the time of a profiler that adds code to kernels, or 0");
    }
    return value == "1";
  }

  const std::string& filled(const std::string& column) const {
    if (text(column).empty()) fail(column, "a name");
    return text(column);
  }

  [[noreturn]] void fail(const std::string& column, const std::string& expected) const {
    fail_input(where_ + ", column " + column,
               "found \"" + text(column) + "\", expected " + expected);
  }

  const std::map<std::string, std::size_t>& columns_;
  const std::vector<std::string>& cells_;
  const std::string& where_;
};

// Programs write semicolons or tabs between the cells where the comma is the decimal mark; a header
// without any comma tells it.
bool has_other_separators(std::string_view table) {
  const std::string_view header = table.substr(0, table.find('\n'));
  return header.find(',') == header.npos && header.find_first_of(";\t") != header.npos;
}

std::string with_commas_between(std::string table, const std::string& origin) {
  if (table.substr(0, table.find('\n')).find('\t') != table.npos) {
    if (table.find(';') != table.npos) {
      fail_input(origin,
                 "found tabs between the cells and semicolons in the text, expected commas "
                 "between the cells");
    }
    std::replace(table.begin(), table.end(), '\t', ';');
  }
  check_decimal_marks(
      table, origin,
      [](std::string_view heading) {
        return heading == kTime || heading == kStandsFor || heading == kStandsForUs;
      },
      "write all times with a decimal point");
  return with_commas(table);
}

// "7,723" beside semicolons: with_commas() keeps it, because it may be a separator of thousands. It
// is 7.723, unless another number has a point: then it may be either.
void write_points(const std::string& name, std::vector<std::vector<std::string>>& rows,
                  const std::string& origin) {
  const auto column =
      static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin());
  const auto has = [&](const std::vector<std::string>& row, char mark) {
    return column < row.size() && row[column].find(mark) != std::string::npos;
  };
  const auto with_point =
      std::find_if(rows.begin() + 1, rows.end(), [&](const auto& row) { return has(row, '.'); });
  for (std::size_t r = 1; r < rows.size(); ++r) {
    if (!has(rows[r], ',')) continue;
    std::string& time = rows[r][column];
    if (with_point != rows.end()) {
      fail_input(origin + ": row " + std::to_string(r + 1) + ", column " + name,
                 "found \"" + time + "\" beside \"" + (*with_point)[column] +
                     "\", expected one decimal mark in all numbers and none between thousands");
    }
    if (std::count(time.begin(), time.end(), ',') == 1) time[time.find(',')] = '.';
  }
}

// At least the header.
std::vector<std::vector<std::string>> rows_of(const std::string& csv_text,
                                              const std::string& origin) {
  const std::string table = page_of(csv_text);  // without a byte order mark
  const bool is_other = has_other_separators(table);
  auto rows = parse_csv(is_other ? with_commas_between(table, origin) : table, origin);
  if (rows.empty()) {
    fail_input(origin, "found nothing, expected a header and one row per profiled launch");
  }
  if (is_other) {
    for (const std::string& name : {kTime, kStandsFor, kStandsForUs})
      write_points(name, rows, origin);
  }
  return rows;
}

// Checks that each launch has exactly one row.
void check_indices(const std::vector<OwnTime>& sorted, const std::string& origin,
                   std::size_t launches) {
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].index != sorted[i - 1].index) continue;
    fail_input(sorted[i].where, "found the index " + std::to_string(sorted[i].index) +
                                    " again, after " + sorted[i - 1].where +
                                    ": expected one row per launch");
  }
  if (sorted.size() == launches) return;
  std::size_t missing = 0;
  while (missing < sorted.size() && sorted[missing].index == missing) ++missing;
  fail_input(origin, "found " + std::to_string(sorted.size()) + " rows, expected one for each of " +
                         std::to_string(launches) + " profiled launches; the index " +
                         std::to_string(missing) + " is the first that is missing");
}

}  // namespace

std::int64_t OwnTime::threads() const { return product_of_sizes(block, kMostThreads); }

void check_own_times(const std::string& csv_text, const std::string& origin) {
  columns_of(rows_of(csv_text, origin)[0], origin + ": row 1");
}

std::size_t count_own_times(const std::string& csv_text, const std::string& origin) {
  return rows_of(csv_text, origin).size() - 1;
}

std::vector<OwnTime> read_own_times(const std::string& csv_text, const std::string& origin,
                                    std::size_t launches) {
  const auto rows = rows_of(csv_text, origin);
  const auto columns = columns_of(rows[0], origin + ": row 1");
  std::vector<OwnTime> out;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    const std::string where = origin + ": row " + std::to_string(r + 1);
    if (rows[r].size() != rows[0].size()) {
      fail_input(where, "found " + std::to_string(rows[r].size()) + " cells, expected " +
                            std::to_string(rows[0].size()));
    }
    out.push_back(TimesRow(columns, rows[r], where).read(launches));
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const OwnTime& a, const OwnTime& b) { return a.index < b.index; });
  check_indices(out, origin, launches);
  if (std::all_of(out.begin(), out.end(), [](const OwnTime& time) { return time.us == 0; }))
    fail_input(origin + ": row 2, column time_us", "no launch has a time");
  return out;
}

}  // namespace pnsim::experiments
