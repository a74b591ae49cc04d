// Plain-text tables: aligned columns, numbers to the right.
#pragma once

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
  // removed. A column in which all cells look like numbers (or "-") is right-aligned.
  std::string text(int indent = 0) const;

 private:
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

// Fixed number of decimals: fixed(12.345, 1) is "12.3"; NaN gives "-".
std::string fixed(double value, int decimals);
// Significant digits, without an exponent where that is short: significant(0.0012345, 3) is
// "0.00123".
std::string significant(double value, int digits);
// Groups digits by commas: 1234567 -> "1,234,567".
std::string grouped(long long value);

}  // namespace pnsim
