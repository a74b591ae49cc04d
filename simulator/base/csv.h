// Comma-separated values (RFC 4180): reading what other tools write, writing what they read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pnsim {

// A source page of a large kernel has about a million.
inline constexpr std::size_t kMaxCells = 6'000'000;

// Rows of cells. Quotes, doubled quotes, line breaks inside quotes, CRLF and LF. An unclosed quote
// is error 3 with the line it opened on; `origin` names the file. Blank lines are left out.
// Error 5 with the line for more than `most_cells` cells.
std::vector<std::vector<std::string>> parse_csv(std::string_view text, const std::string& origin,
                                                std::size_t most_cells = kMaxCells);

// One line with its newline; cells are quoted where they must be.
std::string csv_line(const std::vector<std::string>& cells);

}  // namespace pnsim
