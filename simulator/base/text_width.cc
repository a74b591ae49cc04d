#include "simulator/base/text_width.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace pnsim {
namespace {

bool is_first_byte(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

// The bytes of the first `columns` columns.
std::size_t bytes_of(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  for (std::size_t seen = 0; at < text.size(); ++at) {
    if (is_first_byte(text[at]) && seen++ == columns) break;
  }
  return at;
}

// The bytes of `word` for a line of `columns`: up to the last of `breaks`, or without one all that
// fits, or nothing when the word must stay whole.
std::size_t break_of(std::string_view word, std::size_t columns, std::string_view breaks,
                     bool anywhere) {
  const std::size_t most = bytes_of(word, columns);
  if (most >= word.size()) return word.size();
  const std::size_t at = word.substr(0, most).find_last_of(breaks);
  if (at != std::string_view::npos) return at + 1;
  return anywhere ? std::max<std::size_t>(most, 1) : word.size();
}

// Appends words to lines of at most `first` and `next` columns.
class Breaker {
 public:
  Breaker(std::size_t first, std::size_t next, std::string_view breaks, bool anywhere)
      : room_(first), next_(next), breaks_(breaks), anywhere_(anywhere) {}

  // `blanks`: those before the word.
  void add(std::string_view blanks, std::string_view word) {
    if (!lines_.back().empty() &&
        width_of(lines_.back()) + width_of(blanks) + width_of(word) <= room_) {
      lines_.back() += blanks;
      lines_.back() += word;
      return;
    }
    if (!lines_.back().empty()) start_line();
    while (true) {
      const std::size_t bytes = break_of(word, room_, breaks_, anywhere_);
      lines_.back() += word.substr(0, bytes);
      word.remove_prefix(bytes);
      if (word.empty()) return;
      start_line();
    }
  }

  std::vector<std::string> lines() && { return std::move(lines_); }

 private:
  void start_line() {
    lines_.emplace_back();
    room_ = next_;
  }

  std::size_t room_, next_;
  std::string_view breaks_;
  bool anywhere_;
  std::vector<std::string> lines_{1};
};

std::vector<std::string> break_words(std::string_view text, Breaker breaker) {
  std::size_t at = 0;
  while (true) {
    const std::size_t word = text.find_first_not_of(' ', at);
    if (word == std::string_view::npos) break;
    const std::size_t end = std::min(text.find(' ', word), text.size());
    breaker.add(text.substr(at, word - at), text.substr(word, end - word));
    at = end;
  }
  return std::move(breaker).lines();
}

// Where the lines that follow a broken line begin: at its second column of text, if there is one
// and it leaves half of the width, else two behind its indent.
std::size_t hanging_indent(const std::string& line, std::size_t columns) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), columns / 2);
  const std::size_t gap = line.find("  ", indent);
  if (gap == std::string::npos) return indent + 2;
  const std::size_t second = line.find_first_not_of(' ', gap);
  return second <= columns / 2 ? second : indent + 2;
}

void fit_line(const std::string& line, std::size_t columns, std::string& out) {
  if (width_of(line) <= columns) {
    out += line;
    return;
  }
  const std::size_t indent = std::min(line.find_first_not_of(' '), columns / 2);
  const std::size_t hanging = hanging_indent(line, columns);
  const std::vector<std::string> lines =
      break_words(std::string_view(line).substr(indent),
                  Breaker(columns - indent, columns - hanging, ",;|", false));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out += (i == 0 ? "" : "\n") + std::string(i == 0 ? indent : hanging, ' ') + lines[i];
  }
}

}  // namespace

std::size_t output_columns() {
  std::size_t columns = 0;
  if (const char* set = std::getenv("COLUMNS")) {
    const char* const end = set + std::strlen(set);
    if (std::from_chars(set, end, columns).ptr != end) columns = 0;
  }
  winsize window{};
  if (columns == 0 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0) columns = window.ws_col;
  return columns == 0 ? kAnyWidth : std::max(columns, kNarrowestWidth);
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_first_byte));
}

std::vector<std::string> broken(const std::string& text, std::size_t columns) {
  const std::size_t first = text.find_first_not_of(' ');
  const std::size_t indent = first == std::string::npos ? 0 : std::min(first, columns / 2);
  const std::size_t room = columns - indent;
  std::vector<std::string> lines = break_words(text, Breaker(room, room, "_:/,;=-.|({<>)}", true));
  for (std::string& line : lines) line.insert(0, indent, ' ');
  return lines;
}

std::string fit_lines(const std::string& text, std::size_t columns) {
  if (columns == kAnyWidth) return text;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    fit_line(text.substr(at, end - at), columns, out);
    if (end < text.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

}  // namespace pnsim
