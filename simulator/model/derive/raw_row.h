// One row of the raw page of Nsight Compute: cells by column name, converted by their units.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pnsim {

// "a", "b": names of columns for a message.
std::string quoted_columns(const std::vector<std::string>& columns);

// The rows of a raw page: the names of the columns, their units, and one row a launch. Error 3 for
// another page, and for rows of another width.
using CsvRows = std::vector<std::vector<std::string>>;
CsvRows raw_page_rows(const std::string& csv_text, const std::string& origin);

// The page with one more column: `cells`, one a launch. Error 3 for another number of launches, and
// for a page that has the column.
std::string with_column(const std::string& csv_text, const std::string& origin,
                        const std::string& column, const std::vector<std::string>& cells);

// Why a row of such a page is no launch: two pages were joined, and the row is the header or the
// units of the second one. "" for a launch.
std::string fault_of_joined_pages(const CsvRows& rows, std::size_t row, const std::string& origin);

// One launch. The page's rows must outlive it.
class RawRow {
 public:
  RawRow(const std::vector<std::vector<std::string>>& rows, std::size_t row,
         const std::string& origin)
      : header_(rows[0]),
        units_(rows[1]),
        cells_(rows[row]),
        origin_(origin + ": row " + std::to_string(row + 1) + kernel()) {}

  bool has(const std::string& column) const { return find(column) < header_.size(); }

  // False also for a cell that the profiler left empty or filled with "no data" or the like.
  bool has_value(const std::string& column) const;

  // Error 3 names the row and the column of a cell that is missing or of another type.
  std::string text(const std::string& column) const;
  // Bytes, microseconds or counts, whichever the name of the column says. Also error 3 for a unit
  // of something else.
  double number(const std::string& column) const;
  std::int64_t count(const std::string& column) const;  // 0 ... 2^50
  double percent(const std::string& column) const;      // 0 ... 100

  // Every column that holds one number of a known unit.
  std::map<std::string, double> numbers() const;

  const std::string& where() const { return origin_; }

 private:
  std::size_t find(const std::string& column) const;
  std::string kernel() const;  // " (NAME)", for messages

  const std::vector<std::string>& header_;
  const std::vector<std::string>& units_;
  const std::vector<std::string>& cells_;
  std::string origin_;
};

}  // namespace pnsim
