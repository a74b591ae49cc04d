// Reads lines of files from users. A line over a limit is refused before it fills the memory.
#pragma once

#include <cstddef>
#include <istream>
#include <string>

namespace pnsim {

// A row of a sweep or of results has some kilobytes; the longest ones have a marking of a large
// net.
inline constexpr std::size_t kMaxLineBytes = 16'000'000;

// As std::getline. Error 3 with `where` (file and line) for a line over `limit` bytes.
bool read_line(std::istream& in, std::string& line, const std::string& where,
               std::size_t limit = kMaxLineBytes);

}  // namespace pnsim
