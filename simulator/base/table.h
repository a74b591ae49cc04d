// Plain-text tables: aligned columns, numbers to the right.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace pnsim {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) : header_(std::move(header)) {}

  // Needs as many cells as the header.
  void add_row(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }

  // Every line starts with `indent` spaces, a rule follows the header, and trailing blanks are
  // removed. A control character of a cell, such as a newline, is shown as "?". A column in which
  // all cells look like numbers (or "-") is right-aligned.
  //
  // A table that is wider than the width of set_table_width() is fitted into it: long texts are
  // broken into several lines of their cell. Where that is not enough, the columns are printed in
  // several tables, one under the other, which all begin with the columns that name the row.
  std::string text(int indent = 0) const;

 private:
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

// The width that tables may have from now on; kAnyWidth, as at the start of a program, is no limit.
void set_table_width(std::size_t columns);

// Tables for files: as wide as they are, whatever terminal the command runs in.
class WideTables {
 public:
  WideTables();
  ~WideTables();
  WideTables(const WideTables&) = delete;
  WideTables& operator=(const WideTables&) = delete;

 private:
  std::size_t before_;
};

// A table whose text was made, with the cells that the text shows.
struct MadeTable {
  std::string text;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::vector<bool> is_number;  // [column] right-aligned
};

// Keeps all tables whose texts this thread makes during its life: what is printed as text can so be
// written in another form as well. The innermost of several keeps them.
class MadeTables {
 public:
  MadeTables();
  ~MadeTables();
  MadeTables(const MadeTables&) = delete;
  MadeTables& operator=(const MadeTables&) = delete;

  const std::vector<MadeTable>& all() const { return tables_; }

 private:
  friend class TextTable;
  static thread_local MadeTables* current;

  std::vector<MadeTable> tables_;
  MadeTables* before_;
};

// The text with "?" for every control character: in a name these would move a terminal's cursor and
// break rows.
std::string printable(std::string text);

// Fixed number of decimals: fixed(12.345, 1) is "12.3"; NaN gives "-".
std::string fixed(double value, int decimals);
// Significant digits, without an exponent where that is short: significant(0.0012345, 3) is
// "0.00123".
std::string significant(double value, int digits);
// Groups digits by commas: 1234567 -> "1,234,567".
std::string grouped(long long value);
// "under a second", "12 s", "3 min", "2.5 h" or "4 days".
std::string duration_text(double seconds);

}  // namespace pnsim
