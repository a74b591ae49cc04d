// The width of printed text: how many columns there are, and lines that are broken to fit.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pnsim {

inline constexpr std::size_t kAnyWidth = 0;         // lines as long as they are
inline constexpr std::size_t kNarrowestWidth = 40;  // a narrower terminal is treated like this one

// The columns of stdout: those of the environment variable COLUMNS if it is a positive number, else
// those of the terminal, else kAnyWidth. So pipes and files get whole lines.
std::size_t output_columns();

// Display width: UTF-8 continuation bytes take no column.
std::size_t width_of(std::string_view text);

// The text in lines of at most `columns`. It breaks at blanks, and a longer word behind one of the
// characters _:/,;=-.|({<>)} or, without one, anywhere. Blanks at the start indent every line. At
// least one line.
std::vector<std::string> broken(const std::string& text, std::size_t columns);

// Breaks each line that is wider than `columns` at blanks, and long lists without blanks behind
// commas. The next line is indented to the second column of text where there is one ("name
// text"), otherwise by two more than the line. Longer words, such as paths, stay whole.
std::string fit_lines(const std::string& text, std::size_t columns);

}  // namespace pnsim
