#include "simulator/base/table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "simulator/base/text_width.h"

namespace pnsim {
namespace {

bool looks_numeric(const std::string& cell) {
  if (cell.empty() || cell == "-") return true;
  return cell.find_first_of("0123456789") != std::string::npos &&
         cell.find_first_not_of("0123456789+-.,eE%x/ ") == std::string::npos;
}

std::string padded(const std::string& cell, std::size_t width, bool right) {
  const std::string blanks(width - std::min(width, width_of(cell)), ' ');
  return right ? blanks + cell : cell + blanks;
}

void append_trimmed(std::string& out, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + "\n";
}

constexpr std::size_t kGap = 2;        // between two columns
constexpr std::size_t kLongWord = 16;  // longer words of a text may be broken
std::size_t table_width = kAnyWidth;

using Row = std::vector<std::string>;

struct Column {
  std::size_t at = 0;  // in the rows
  std::size_t natural = 0, least = 0, width = 0;
  bool right = true;  // all its cells look like numbers
};

std::size_t longest_word(const std::string& cell) {
  std::size_t longest = 0;
  for (std::size_t at = 0; at < cell.size();) {
    const std::size_t end = std::min(cell.find(' ', at), cell.size());
    longest = std::max(longest, width_of(std::string_view(cell).substr(at, end - at)));
    at = end + 1;
  }
  return longest;
}

Column measured(std::size_t at, const Row& header, const std::vector<Row>& rows) {
  Column out{at, width_of(header[at])};
  std::size_t widest = 0, word = 0;
  for (const Row& row : rows) {
    widest = std::max(widest, width_of(row[at]));
    word = std::max(word, longest_word(row[at]));
    if (!looks_numeric(row[at])) out.right = false;
  }
  out.natural = std::max(out.natural, widest);
  const std::size_t cells = out.right ? word : std::min(word, kLongWord);
  out.least = std::max(longest_word(header[at]), cells);
  out.width = out.natural;
  return out;
}

template <class Width>
std::size_t total(const std::vector<Column>& columns, const Width& width) {
  std::size_t sum = columns.empty() ? 0 : kGap * (columns.size() - 1);
  for (const Column& column : columns) sum += width(column);
  return sum;
}

// Gives every column its natural width, or, where they are together too wide, the same greatest
// width to all wider ones, but never less than their least.
void share_out(std::vector<Column>& columns, std::size_t room) {
  const auto capped = [](std::size_t cap) {
    return [cap](const Column& c) { return std::clamp(cap, c.least, c.natural); };
  };
  std::size_t cap = 0;
  for (const Column& column : columns) cap = std::max(cap, column.natural);
  while (cap > 1 && total(columns, capped(cap)) > room) --cap;
  for (Column& column : columns) column.width = capped(cap)(column);
  std::size_t used = total(columns, [](const Column& c) { return c.width; });
  for (Column& column : columns) {
    if (used < room && column.width == cap && column.width < column.natural) ++column.width, ++used;
  }
}

// How many columns name the row: those before the first numbers, or the first one where they would
// take half of the room.
std::size_t naming_columns(const std::vector<Column>& columns, std::size_t room) {
  std::size_t count = 0, width = 0;
  while (count < columns.size() && !columns[count].right) width += columns[count++].least + kGap;
  return count > 0 && count < columns.size() && width <= room / 2 ? count : 1;
}

// The columns of each of the tables, one under the other.
std::vector<std::vector<Column>> parts_of(const std::vector<Column>& columns, std::size_t room) {
  const auto least = [](const Column& c) { return c.least; };
  if (room == kAnyWidth || total(columns, least) <= room) return {columns};
  const auto names = columns.begin() + static_cast<std::ptrdiff_t>(naming_columns(columns, room));
  std::vector<std::vector<Column>> parts{{columns.begin(), names}};
  for (auto it = names; it != columns.end(); ++it) {
    std::vector<Column>& part = parts.back();
    part.push_back(*it);
    const bool has_others = part.size() > static_cast<std::size_t>(names - columns.begin()) + 1;
    if (!has_others || total(part, least) <= room) continue;
    part.pop_back();
    parts.emplace_back(columns.begin(), names).push_back(*it);
  }
  for (std::vector<Column>& part : parts) {  // a table of long words: they are broken
    while (total(part, least) > room) {
      const auto widest = std::max_element(part.begin(), part.end(),
                                           [](auto& a, auto& b) { return a.least < b.least; });
      if (widest->least <= 4) break;
      --widest->least;
    }
  }
  return parts;
}

void add_lines(const Row& row, const std::vector<Column>& columns, const std::string& start,
               std::string& out) {
  std::vector<std::vector<std::string>> cells;
  std::size_t lines = 1;
  for (const Column& column : columns) {
    const std::string& cell = row[column.at];
    cells.push_back(width_of(cell) <= column.width ? std::vector{cell}
                                                   : broken(cell, column.width));
    lines = std::max(lines, cells.back().size());
  }
  for (std::size_t i = 0; i < lines; ++i) {
    std::string line = start;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      line += (c ? "  " : "") +
              padded(i < cells[c].size() ? cells[c][i] : "", columns[c].width, columns[c].right);
    }
    append_trimmed(out, line);
  }
}

}  // namespace

void set_table_width(std::size_t columns) { table_width = columns; }

WideTables::WideTables() : before_(table_width) { table_width = kAnyWidth; }
WideTables::~WideTables() { table_width = before_; }

thread_local MadeTables* MadeTables::current = nullptr;
MadeTables::MadeTables() : before_(current) { current = this; }
MadeTables::~MadeTables() { current = before_; }

void TextTable::add_row(std::vector<std::string> cells) {
  if (cells.size() != header_.size()) throw std::logic_error("table row of the wrong width");
  rows_.push_back(std::move(cells));
}

std::string TextTable::text(int indent) const {
  const auto blanks = static_cast<std::size_t>(indent);
  const std::string start(blanks, ' ');
  const std::size_t room = table_width == kAnyWidth ? kAnyWidth : table_width - blanks;
  std::vector<Column> columns;
  std::vector<Row> rows = rows_;  // rows_ keep the names as they are, for other forms
  for (Row& row : rows) std::transform(row.begin(), row.end(), row.begin(), printable);
  for (std::size_t c = 0; c < header_.size(); ++c) columns.push_back(measured(c, header_, rows));
  std::string out;
  for (std::vector<Column>& part : parts_of(columns, room)) {
    if (room != kAnyWidth) share_out(part, room);
    if (!out.empty()) out += "\n";
    add_lines(header_, part, start, out);
    Row rule(header_.size());
    for (const Column& column : part) rule[column.at] = std::string(column.width, '-');
    add_lines(rule, part, start, out);
    for (const Row& row : rows) add_lines(row, part, start, out);
  }
  if (MadeTables* const made = MadeTables::current) {
    made->tables_.push_back({out, header_, rows_, {}});
    for (const Column& column : columns) made->tables_.back().is_number.push_back(column.right);
  }
  return out;
}

std::string printable(std::string cell) {
  constexpr unsigned char kFirstPrintable = 0x20, kDelete = 0x7f;
  for (char& c : cell) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < kFirstPrintable || byte == kDelete) c = '?';
  }
  return cell;
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

std::string duration_text(double seconds) {
  if (seconds < 1) return "under a second";
  if (seconds < 100) return fixed(seconds, 0) + " s";
  if (seconds < 6000) return fixed(seconds / 60, 0) + " min";
  if (seconds < 48 * 3600) return fixed(seconds / 3600, 1) + " h";
  return fixed(seconds / 86400, 0) + " days";
}

}  // namespace pnsim
