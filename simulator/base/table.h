// Plain-text tables for people: columns aligned, numbers to the right.
#pragma once

#include <string>
#include <vector>

namespace pnsim {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) : header_(std::move(header)) {}

  // As many cells as the header has.
  void add_row(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }

  // Every line starts with `indent` spaces; a rule under the header; trailing blanks cut. A column
  // whose cells all look like numbers (or "-") is right-aligned.
  std::string text(int indent = 0) const;

 private:
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

// Fixed decimals: fixed(12.345, 1) is "12.3"; "-" for NaN.
std::string fixed(double value, int decimals);
// Significant digits without exponent where that is short: significant(0.0012345, 3) is "0.00123".
std::string significant(double value, int digits);
// 1234567 -> "1,234,567".
std::string grouped(long long value);

}  // namespace pnsim
