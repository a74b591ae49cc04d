#include "simulator/model/sass/page_separators.h"

#include <algorithm>
#include <cctype>

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

DecimalMark mark_of(char c) { return c == ',' ? DecimalMark::kComma : DecimalMark::kPoint; }

DecimalMark mark_in(std::string_view text) {
  if (!is_number(text)) return DecimalMark::kUnsaid;
  const std::size_t last = text.find_last_of(".,");
  if (last == text.npos) return DecimalMark::kUnsaid;
  const char mark = text[last], other = mark == ',' ? '.' : ',';
  if (text.find(other) != text.npos) return mark_of(mark);  // "1.234,5"
  if (text.find(mark) != last) return mark_of(other);       // "1.234.567"
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

}  // namespace

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
