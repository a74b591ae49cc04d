#include "simulator/base/table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace pnsim {
namespace {

bool looks_numeric(const std::string& cell) {
  if (cell.empty() || cell == "-") return true;
  return cell.find_first_of("0123456789") != std::string::npos &&
         cell.find_first_not_of("0123456789+-.,eE%x/ ") == std::string::npos;
}

// Display width: UTF-8 continuation bytes take no column.
std::size_t width_of(const std::string& cell) {
  return static_cast<std::size_t>(std::count_if(cell.begin(), cell.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string padded(const std::string& cell, std::size_t width, bool right) {
  const std::string blanks(width - std::min(width, width_of(cell)), ' ');
  return right ? blanks + cell : cell + blanks;
}

void append_trimmed(std::string& out, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + "\n";
}

}  // namespace

void TextTable::add_row(std::vector<std::string> cells) {
  if (cells.size() != header_.size()) throw std::logic_error("table row of the wrong width");
  rows_.push_back(std::move(cells));
}

std::string TextTable::text(int indent) const {
  const std::size_t columns = header_.size();
  std::vector<std::size_t> width(columns);
  std::vector<bool> right(columns, true);
  for (std::size_t c = 0; c < columns; ++c) {
    width[c] = width_of(header_[c]);
    for (const auto& row : rows_) {
      width[c] = std::max(width[c], width_of(row[c]));
      if (!looks_numeric(row[c])) right[c] = false;
    }
  }
  const std::string start(static_cast<std::size_t>(indent), ' ');
  std::string out;
  const auto add = [&](const std::vector<std::string>& cells) {
    std::string line = start;
    for (std::size_t c = 0; c < columns; ++c) {
      line += (c ? "  " : "") + padded(cells[c], width[c], right[c]);
    }
    append_trimmed(out, line);
  };
  add(header_);
  std::vector<std::string> rule;
  for (const std::size_t w : width) rule.emplace_back(w, '-');
  add(rule);
  for (const auto& row : rows_) add(row);
  return out;
}

std::string fixed(double value, int decimals) {
  if (std::isnan(value)) return "-";
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return fixed(value, 0);
  if (value == 0) return "0";
  char text[64];
  std::snprintf(text, sizeof text, "%.*e", digits - 1, value);
  const int magnitude = std::atoi(std::strchr(text, 'e') + 1);  // exponent of the rounded value
  if (magnitude < -5 || magnitude > 8) return text;
  return fixed(value, std::max(0, digits - 1 - magnitude));
}

std::string grouped(long long value) {
  std::string text = std::to_string(value);
  const std::ptrdiff_t start = value < 0 ? 1 : 0;
  for (std::ptrdiff_t i = static_cast<std::ptrdiff_t>(text.size()) - 3; i > start; i -= 3) {
    text.insert(static_cast<std::size_t>(i), ",");
  }
  return text;
}

}  // namespace pnsim
