#include "simulator/base/error.h"

#include <algorithm>

namespace pnsim {
namespace {

// what() ends at the first NUL byte, which a broken file may put into a message.
std::string without_nul(const std::string& message) {
  std::string out;
  for (const char c : message) c == '\0' ? out += "\\0" : out += c;
  return out;
}

constexpr std::size_t kMostQuoted = 200;    // bytes of an input that a message repeats
constexpr std::size_t kMostMessage = 6000;  // two paths of the longest kind fit in

// What stands between two quotes of a kind, where it is long.
std::string with_short_quotes(const std::string& message, char quote) {
  std::string out;
  std::size_t at = 0;
  while (at < message.size()) {
    const std::size_t open = message.find(quote, at);
    const std::size_t close = open == std::string::npos ? open : message.find(quote, open + 1);
    if (close == std::string::npos) break;
    const bool is_long = close - open - 1 > kMostQuoted;
    const std::size_t end = is_long ? boundary_before(message, open + 1 + kMostQuoted) : close;
    out += message.substr(at, end - at) + (is_long ? "..." : "");
    out += quote;
    at = close + 1;
  }
  return out + message.substr(std::min(at, message.size()));
}

// Cuts words that are longer than a name in a file system: keys of JSON, names of settings.
std::string with_short_words(const std::string& message) {
  constexpr std::size_t kLongestWord = 260;  // a name of 255 bytes with punctuation
  std::string out;
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t end = std::min(message.find_first_of("/ \n", at + 1), message.size());
    const bool is_long = end - at > kLongestWord;
    out += message.substr(at, is_long ? boundary_before(message, at + kMostQuoted) - at : end - at);
    if (is_long) out += "...";
    at = end;
  }
  return out;
}

std::string shortened(const std::string& message) {
  if (message.size() <= kMostQuoted) return message;
  const std::string out =
      with_short_words(with_short_quotes(with_short_quotes(message, '"'), '\''));
  if (out.size() <= kMostMessage) return out;
  return out.substr(0, boundary_before(out, kMostMessage)) + " ...";
}

}  // namespace

std::size_t boundary_before(const std::string& text, std::size_t at) {
  for (int i = 0; i < 3 && at > 0 && (text[at] & 0xC0) == 0x80; ++i) --at;
  return at;
}

Error::Error(ExitCode code, const std::string& message)
    : std::runtime_error(without_nul(shortened(message))), code_(code) {}

void fail_input(const std::string& where, const std::string& message) {
  throw Error(ExitCode::kBadInput, where + ": " + message);
}

void fail_usage(const std::string& message) { throw Error(ExitCode::kUsage, message); }

void fail_unavailable(const std::string& message) { throw Error(ExitCode::kUnavailable, message); }

void fail_limit(const std::string& message) { throw Error(ExitCode::kLimit, message); }

}  // namespace pnsim
