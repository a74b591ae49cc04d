#include "simulator/base/read_line.h"

#include "simulator/base/error.h"

namespace pnsim {
namespace {

// A buffer throws when the system cannot read.
int next_of(std::streambuf& buffer, std::istream& in) {
  try {
    return buffer.sbumpc();
  } catch (const std::ios::failure&) {
    in.setstate(std::ios::badbit);
    return std::char_traits<char>::eof();
  }
}

}  // namespace

bool read_line(std::istream& in, std::string& line, const std::string& where, std::size_t limit) {
  line.clear();
  std::streambuf* const buffer = in.rdbuf();
  constexpr int kEnd = std::char_traits<char>::eof();
  for (int c = next_of(*buffer, in); c != '\n'; c = next_of(*buffer, in)) {
    if (c == kEnd) {
      // As std::getline: what stands behind the last newline is a line, and sets eof.
      in.setstate(line.empty() ? std::ios::eofbit | std::ios::failbit : std::ios::eofbit);
      return !line.empty();
    }
    if (line.size() == limit) {
      fail_input(where, "found a line of over " + std::to_string(limit) + " bytes");
    }
    line += static_cast<char>(c);
  }
  return true;
}

}  // namespace pnsim
