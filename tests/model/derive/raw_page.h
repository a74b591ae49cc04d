// The real pages of tests/data/vectors, and the raw page as cells, to change and to break it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "simulator/base/csv.h"
#include "simulator/model/derive/derive.h"
#include "tests/base/error_of.h"

namespace pnsim::test {

using Rows = std::vector<std::vector<std::string>>;

inline std::string raw_text() { return read_file(PNSIM_TEST_DATA "/vectors/ncu_raw.csv"); }
inline std::string source_text() { return read_file(PNSIM_TEST_DATA "/vectors/ncu_source.csv"); }

inline std::string text_of(const Rows& rows) {
  std::string text;
  for (const auto& row : rows) text += csv_line(row);
  return text;
}

inline bool is_kept(const std::string& column) {
  for (const char* start :
       {"ID", "Kernel Name", "launch__", "smsp__inst_executed", "smsp__sass_inst",
        "gpu__time_duration", "device__attribute_display_name"}) {
    if (column.starts_with(start)) {
      return !column.ends_with(".avg") && !column.ends_with(".min") && !column.ends_with(".max");
    }
  }
  return false;
}

inline Rows kept_columns() {
  const Rows all = parse_csv(raw_text(), "raw.csv");
  Rows rows(all.size());
  for (std::size_t c = 0; c < all[0].size(); ++c) {
    if (!is_kept(all[0][c])) continue;
    for (std::size_t r = 0; r < all.size(); ++r) rows[r].push_back(all[r][c]);
  }
  return rows;
}

// The raw page as cells that tests can corrupt, without most of the columns that pnsim ignores.
struct RawPage {
  RawPage() {
    static const Rows kRows = kept_columns();
    rows = kRows;
  }
  Rows rows;

  std::size_t column(const std::string& name) const {
    const auto it = std::find(rows[0].begin(), rows[0].end(), name);
    EXPECT_NE(it, rows[0].end()) << name;
    return static_cast<std::size_t>(it - rows[0].begin());
  }
  std::string& cell(std::size_t row, const std::string& name) { return rows[row][column(name)]; }
  void drop(const std::string& name) {
    const auto c = static_cast<std::ptrdiff_t>(column(name));
    for (auto& row : rows) row.erase(row.begin() + c);
  }
  std::vector<ProfiledLaunch> read() const { return read_ncu_raw(text_of(rows), "raw.csv"); }
  std::string fault() const {
    return input_error_of([&] { read(); });
  }
};

}  // namespace pnsim::test
