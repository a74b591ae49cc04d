#include "simulator/base/svg_text.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace pnsim {
namespace {

bool is_any_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

// Bytes of a UTF-8 sequence after the first one.
bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// In units of the font size.
double width_of(char c) {
  if (continues(c)) return 0;
  if (is_any_of(c, "iljI|'.,:; ")) return 0.36;
  if (is_any_of(c, "frt()[]-/\"!")) return 0.46;
  if (is_any_of(c, "mwMW%@")) return 1.0;
  if (is_any_of(c, "+=<>^~_#") || (c >= 'A' && c <= 'Z')) return 0.84;
  if (static_cast<unsigned char>(c) >= 0x80) return 1.0;
  return 0.65;
}

// The length in bytes of the longest beginning that is at most `width` wide.
std::size_t bytes_within(const std::string& text, double width, double size) {
  std::size_t bytes = 0;
  double used = 0;
  while (bytes < text.size()) {
    used += size * width_of(text[bytes]);
    if (used > width) break;
    ++bytes;
  }
  while (bytes > 0 && bytes < text.size() && continues(text[bytes])) --bytes;
  return bytes;
}

}  // namespace

double text_width(const std::string& text, double size) {
  double width = 0;
  for (const char c : text) width += width_of(c);
  return width * size;
}

std::string fitted_text(const std::string& text, double width, double size) {
  if (text_width(text, size) <= width) return text;
  const double half = std::max(0.0, (width - text_width("...", size)) / 2);
  const std::string head = text.substr(0, bytes_within(text, half, size));
  std::string tail(text.rbegin(), text.rend());
  double used = 0;
  std::size_t bytes = 0;
  while (bytes < tail.size() && (used += size * width_of(tail[bytes])) <= half) ++bytes;
  while (bytes > 0 && continues(text[text.size() - bytes])) --bytes;
  return head + "..." + text.substr(text.size() - bytes);
}

std::vector<std::string> wrapped_text(const std::string& text, double width, double size) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t space = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, space - at);
    at = space + 1;
    if (word.empty()) continue;
    if (!line.empty() && text_width(line + " " + word, size) > width) {
      lines.push_back(std::exchange(line, ""));
    }
    line += (line.empty() ? "" : " ") + fitted_text(word, width, size);
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

}  // namespace pnsim
