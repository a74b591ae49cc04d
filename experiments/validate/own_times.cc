#include "experiments/validate/own_times.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "simulator/base/csv.h"
#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/model/sass/page_text.h"

namespace pnsim::experiments {
namespace {

constexpr double kLeastUs = 1e-3, kMostUs = 1e9;  // time of a launch; others have a wrong unit
constexpr std::int64_t kMostThreads = 1024;       // threads per block

const std::vector<std::string> kNeeded{"index", "kernel", "problem", "block", "time_us"};

template <class T>
std::optional<T> parsed(const std::string& text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
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
  for (const std::string& name : kNeeded) {
    if (columns.contains(name)) continue;
    const std::string nearest = nearest_name(name, header);
    fail_input(where,
               "found no column \"" + name + "\"" +
                   (nearest.empty() ? "" : " (the nearest is \"" + nearest + "\")") +
                   ", expected index, kernel, problem, block, time_us and optionally config; "
                   "experiment profile -o DIR -- PROGRAM measures such times");
  }
  return columns;
}

// The product of sizes separated by x; 0 for other text.
std::int64_t threads_of(const std::string& block) {
  std::int64_t threads = 1;
  for (std::size_t at = 0; at <= block.size();) {
    const std::size_t end = std::min(block.find('x', at), block.size());
    const auto size = parsed<std::int64_t>(block.substr(at, end - at));
    if (!size || *size < 1 || *size > kMostThreads) return 0;
    threads = std::min(threads * *size, kMostThreads + 1);
    at = end + 1;
  }
  return threads <= kMostThreads ? threads : 0;
}

class TimesRow {
 public:
  TimesRow(const std::map<std::string, std::size_t>& columns, const std::vector<std::string>& cells,
           const std::string& where)
      : columns_(columns), cells_(cells), where_(where) {}

  OwnTime read(std::size_t launches) const {
    OwnTime out{where_, 0, filled("kernel"), filled("problem"), filled("block"), "", 0};
    if (columns_.contains("config")) out.config = text("config");
    const auto index = parsed<std::size_t>(text("index"));
    if (!index || *index >= launches) {
      fail("index", "the number of a profiled launch, 0 to " + std::to_string(launches - 1));
    }
    out.index = *index;
    if (threads_of(out.block) == 0) {
      fail("block", "the threads of a block, as 256 or 32x8, 1 to " + std::to_string(kMostThreads));
    }
    const auto us = parsed<double>(text("time_us"));
    if (!us || !(*us >= kLeastUs && *us <= kMostUs)) {  // this form also rejects nan
      fail("time_us", "microseconds, 0.001 to 10^9");
    }
    out.us = *us;
    return out;
  }

 private:
  const std::string& text(const std::string& column) const { return cells_[columns_.at(column)]; }

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

// At least the header.
std::vector<std::vector<std::string>> rows_of(const std::string& csv_text,
                                              const std::string& origin) {
  auto rows = parse_csv(page_of(csv_text), origin);  // skips a byte order mark
  if (rows.empty()) {
    fail_input(origin, "found nothing, expected a header and one row per profiled launch");
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

std::int64_t OwnTime::threads() const { return threads_of(block); }

void check_own_times(const std::string& csv_text, const std::string& origin) {
  columns_of(rows_of(csv_text, origin)[0], origin + ": row 1");
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
  return out;
}

}  // namespace pnsim::experiments
