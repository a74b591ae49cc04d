#include "simulator/base/csv.h"

#include <algorithm>
#include <cctype>
#include <limits>

#include "simulator/base/error.h"

namespace pnsim {
namespace {

class CsvParser {
 public:
  CsvParser(std::string_view text, const std::string& origin, std::size_t most_cells,
            const CsvRowVisitor& visit)
      : text_(text), origin_(origin), visit_(visit), cells_left_(most_cells) {}

  void parse() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' && cell_.empty()) {
        quoted_part();
      } else if (c == ',') {
        end_cell();
      } else if (c == '\n') {
        end_row();
      } else if (c != '\r') {
        cell_ += c;
      }
      ++at_;
    }
    if (!row_.empty() || !cell_.empty() || was_quoted_) end_row();
  }

 private:
  // Called on the opening quote; leaves `at_` on the closing quote.
  void quoted_part() {
    const std::size_t opened_on = line_;
    while (++at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (c != '"') {
        cell_ += c;
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        cell_ += '"';
        ++at_;
      } else {
        was_quoted_ = true;
        return;
      }
    }
    fail_input(origin_ + ": line " + std::to_string(opened_on),
               "found an opening quote that is never closed, expected a closing one");
  }

  void end_cell() {
    if (cells_left_-- == 0) {
      fail_limit(origin_ + ": line " + std::to_string(line_) +
                 ": more cells than are read of one file");
    }
    row_.push_back(std::move(cell_));
    cell_.clear();
  }

  void end_row() {
    const bool blank = row_.empty() && cell_.empty() && !was_quoted_;
    was_quoted_ = false;
    if (!blank) end_cell();
    ++line_;
    if (blank) return;
    visit_(row_, ++rows_);
    row_.clear();
  }

  std::string_view text_;
  const std::string& origin_;
  const CsvRowVisitor& visit_;
  std::size_t cells_left_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  bool was_quoted_ = false;
  std::string cell_;
  std::vector<std::string> row_;
  std::size_t rows_ = 0;
};

bool must_be_quoted(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return c == ',' || c == '"' || byte < 0x20 || byte == 0x7f;
}

}  // namespace

std::vector<std::vector<std::string>> parse_csv(std::string_view text, const std::string& origin,
                                                std::size_t most_cells) {
  std::vector<std::vector<std::string>> rows;
  const CsvRowVisitor keep = [&](std::vector<std::string>& row, std::size_t) {
    rows.push_back(std::move(row));
  };
  CsvParser(text, origin, most_cells, keep).parse();
  return rows;
}

void for_each_csv_row(std::string_view text, const std::string& origin,
                      const CsvRowVisitor& visit) {
  CsvParser(text, origin, std::numeric_limits<std::size_t>::max(), visit).parse();
}

std::string csv_line(const std::vector<std::string>& cells) {
  // An empty line would be read as a blank line.
  if (cells.size() == 1 && cells[0].empty()) return "\"\"\n";
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += ',';
    if (std::none_of(cells[i].begin(), cells[i].end(), must_be_quoted)) {
      line += cells[i];
      continue;
    }
    line += '"';
    for (const char c : cells[i]) line += c == '"' ? "\"\"" : std::string(1, c);
    line += '"';
  }
  return line + "\n";
}

std::string csv_name(std::string_view head) {
  std::string name;
  bool is_apart = false;
  for (const char c : head) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && std::isalnum(byte) == 0) {
      is_apart = !name.empty();
      continue;
    }
    if (is_apart) name += '_';
    is_apart = false;
    name += c;
  }
  return name;
}

}  // namespace pnsim
