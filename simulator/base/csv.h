// Comma-separated values (RFC 4180): reading and writing.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pnsim {

// The source page of a large kernel has about a million cells.
inline constexpr std::size_t kMaxCells = 6'000'000;

// Returns the rows of cells. It accepts quotes, doubled quotes, line breaks inside quotes, CRLF and
// LF. Blank lines are skipped. An unclosed quote is error 3 with the line of its opening quote;
// `origin` names the file. Error 5 with the line for more than `most_cells` cells.
std::vector<std::vector<std::string>> parse_csv(std::string_view text, const std::string& origin,
                                                std::size_t most_cells = kMaxCells);

// Calls `visit` with each row and its number, from 1; the row's cells may be moved away. Rows are
// not kept, so there is no limit on the cells. Errors are those of parse_csv().
using CsvRowVisitor = std::function<void(std::vector<std::string>& row, std::size_t number)>;
void for_each_csv_row(std::string_view text, const std::string& origin, const CsvRowVisitor& visit);

// Returns one line with its newline. Cells are quoted where RFC 4180 requires it, so also those
// with control characters.
std::string csv_line(const std::vector<std::string>& cells);

// A head as a name that programs take without quotes: "l1 (steps)" is "l1_steps", "sm: us" is
// "sm_us". All but letters, digits and bytes of other alphabets become one "_" between them.
std::string csv_name(std::string_view head);

}  // namespace pnsim
