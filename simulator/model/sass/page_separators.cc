#include "simulator/model/sass/page_separators.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

#include "simulator/base/error.h"
#include "simulator/base/numbers.h"

namespace pnsim {
namespace {

constexpr char kSeparator = ';';

// What a cell says about the decimal mark of its page.
enum class DecimalMark { kUnsaid, kComma, kPoint };

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Digits with points and commas among them, and perhaps a sign: "-1.234,5".
bool is_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && is_digit(text.front()) && is_digit(text.back()) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_digit(c) || c == '.' || c == ','; });
}

// Whether the marks stand between groups of three digits: "1.234.567", but not "127.0.0.1".
bool parts_thousands(std::string_view text, char mark) {
  std::size_t digits = 0, groups = 0;
  for (const char c : text) {
    if (c != mark) {
      digits += is_digit(c) ? 1 : 0;
      continue;
    }
    if (digits == 0 || digits > 3 || (groups > 0 && digits != 3)) return false;
    digits = 0;
    ++groups;
  }
  return digits == 3;
}

DecimalMark mark_of(char c) { return c == ',' ? DecimalMark::kComma : DecimalMark::kPoint; }

DecimalMark mark_in(std::string_view text) {
  if (!is_number(text)) return DecimalMark::kUnsaid;
  const std::size_t last = text.find_last_of(".,");
  if (last == text.npos) return DecimalMark::kUnsaid;
  const char mark = text[last], other = mark == ',' ? '.' : ',';
  if (text.find(other) != text.npos) return mark_of(mark);  // "1.234,5"
  if (text.find(mark) != last) {                            // "1.234.567"
    return parts_thousands(text, mark) ? mark_of(other) : DecimalMark::kUnsaid;
  }
  const std::size_t digits = text.size() - last - 1;
  const bool may_be_thousands = digits == 3 && last <= 4 && !text.starts_with('0');
  return may_be_thousands ? DecimalMark::kUnsaid : mark_of(mark);
}

// Calls `visit` with each cell, as it is written, and the character that ends it (0: the page).
template <class Visit>
void for_each_cell(std::string_view page, Visit visit) {
  bool is_quoted = false;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < page.size(); ++at) {
    const char c = page[at];
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted || (c != kSeparator && c != '\n')) continue;
    visit(page.substr(begin, at - begin), c);
    begin = at + 1;
  }
  if (begin < page.size()) visit(page.substr(begin), '\0');
}

std::string_view content_of(std::string_view cell) {
  if (cell.ends_with('\r')) cell.remove_suffix(1);
  const bool is_quoted = cell.size() >= 2 && cell.starts_with('"') && cell.ends_with('"');
  return is_quoted ? cell.substr(1, cell.size() - 2) : cell;
}

// Without apostrophes and no-break spaces between groups of digits.
std::string digits_of(std::string_view cell) { return with_group_marks(content_of(cell), ""); }

bool has_decimal_commas(std::string_view page) {
  bool found = false;
  for_each_cell(page, [&](std::string_view cell, char) {
    found = found || mark_in(digits_of(cell)) == DecimalMark::kComma;
  });
  return found;
}

void append_with_point(std::string_view number, std::string& out) {
  for (const char c : number) {
    if (c != '.') out += c == ',' ? '.' : c;
  }
}

void append_cell(std::string_view cell, std::string& out) {
  const bool needs_quotes = !cell.starts_with('"') && cell.find(',') != cell.npos;
  if (!needs_quotes) return void(out += cell);
  const bool ends_line = cell.ends_with('\r');
  out += '"';
  out += cell.substr(0, cell.size() - (ends_line ? 1 : 0));
  out += ends_line ? "\"\r" : "\"";
}

// The first number of a page whose decimal mark is told, and its place.
struct ToldMark {
  DecimalMark mark;
  std::string text, place;
};

// Visits the cells of a page in their order.
class MarkCheck {
 public:
  MarkCheck(const std::string& origin, const HoldsNumbers& holds_numbers, const std::string& next)
      : origin_(origin), holds_numbers_(holds_numbers), next_(next) {}

  void read(std::string_view cell, char end) {
    const bool is_blank_line = column_ == 0 && end != kSeparator && content_of(cell).empty();
    if (column_ == 0 && !is_blank_line) begin_row(content_of(cell));
    if (is_header_)
      headings_.emplace_back(content_of(cell));
    else if (!is_blank_line)
      check(cell);
    column_ = end == kSeparator ? column_ + 1 : 0;
  }

 private:
  // The header of a source page follows the row of its kernel's name.
  void begin_row(std::string_view first) {
    ++row_;
    const bool is_name = first == "Kernel Name";
    is_header_ = !is_name && (row_ == 1 || follows_name_);
    follows_name_ = is_name;
    if (is_header_) headings_.clear();
  }

  void check(std::string_view cell) {
    const std::string heading = column_ < headings_.size() ? headings_[column_] : "";
    if (follows_name_ || !holds_numbers_(heading)) return;
    const DecimalMark mark = mark_in(digits_of(cell));
    if (mark == DecimalMark::kUnsaid) return;
    const std::string text(content_of(cell));
    const std::string place = "row " + std::to_string(row_) + ", column " +
                              (heading.empty() ? std::to_string(column_ + 1) : heading);
    if (!first_) first_ = ToldMark{mark, text, place};
    if (mark == first_->mark) return;
    fail_input(origin_ + ": " + place, "found \"" + text + "\" beside \"" + first_->text + "\" (" +
                                           first_->place +
                                           "), expected one decimal mark in all numbers; " + next_);
  }

  const std::string& origin_;
  const HoldsNumbers& holds_numbers_;
  const std::string& next_;
  std::size_t row_ = 0, column_ = 0;
  bool is_header_ = false, follows_name_ = false;
  std::vector<std::string> headings_;
  std::optional<ToldMark> first_;
};

}  // namespace

void check_decimal_marks(std::string_view page, const std::string& origin,
                         const HoldsNumbers& holds_numbers, const std::string& next) {
  MarkCheck marks(origin, holds_numbers, next);
  for_each_cell(page, [&](std::string_view cell, char end) { marks.read(cell, end); });
}

std::string with_commas(std::string_view page) {
  const bool has_commas = has_decimal_commas(page);
  std::string out;
  out.reserve(page.size());
  for_each_cell(page, [&](std::string_view cell, char end) {
    const std::string content = has_commas ? digits_of(cell) : "";
    const bool is_rewritten =
        has_commas && is_number(content) && mark_in(content) != DecimalMark::kPoint;
    is_rewritten ? append_with_point(content, out) : append_cell(cell, out);
    if (end != '\0') out += end == kSeparator ? ',' : end;
  });
  return out;
}

}  // namespace pnsim
