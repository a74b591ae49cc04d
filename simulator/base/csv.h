// Comma-separated values (RFC 4180): reading what other tools write, writing what they read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pnsim {

// Rows of cells. Quotes, doubled quotes, line breaks inside quotes, CRLF and LF. An unclosed quote
// is error 3 with the line it opened on; `origin` names the file. Blank lines are left out.
std::vector<std::vector<std::string>> parse_csv(std::string_view text, const std::string& origin);

// One line with its newline; cells are quoted where they must be.
std::string csv_line(const std::vector<std::string>& cells);

}  // namespace pnsim
