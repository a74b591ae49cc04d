#include "tests/layers/function_lengths.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace pnsim::test {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The source with comments, strings, characters and preprocessor lines blanked; lines stay.
class Blanker {
 public:
  explicit Blanker(std::string_view source) : in_(source) {}

  std::string blanked() {
    while (at_ < in_.size()) {
      if (in_[at_] == '#' && is_first_of_line()) {
        skip_directive();
      } else if (starts("//")) {
        skip_to("\n", 0);
      } else if (starts("/*")) {
        skip_to("*/", 2);
      } else if (starts("R\"") && !is_word(before())) {
        skip_raw_string();
      } else if (in_[at_] == '"' || (in_[at_] == '\'' && !is_word(before()))) {
        skip_quoted(in_[at_]);  // 1'000 is a number: a letter or digit stands before the quote
      } else {
        out_ += in_[at_++];
      }
    }
    return out_;
  }

 private:
  bool starts(std::string_view text) const { return in_.substr(at_).starts_with(text); }
  char before() const { return at_ == 0 ? '\n' : in_[at_ - 1]; }

  bool is_first_of_line() const {
    const std::size_t last = out_.find_last_not_of(" \t");
    return last == std::string::npos || out_[last] == '\n';
  }

  // Leaves the line breaks of what is skipped, and a word in its place.
  void skip(std::size_t end, const char* word) {
    end = std::min(end, in_.size());
    out_ += word;
    out_.append(
        static_cast<std::size_t>(std::count(in_.begin() + static_cast<std::ptrdiff_t>(at_),
                                            in_.begin() + static_cast<std::ptrdiff_t>(end), '\n')),
        '\n');
    at_ = end;
  }

  void skip_to(std::string_view end, std::size_t more) {
    const std::size_t found = in_.find(end, at_);
    skip(found == std::string_view::npos ? in_.size() : found + more, "");
  }

  void skip_directive() {
    std::size_t end = in_.find('\n', at_);
    while (end != std::string_view::npos && in_[end - 1] == '\\') end = in_.find('\n', end + 1);
    skip(end, "");
  }

  void skip_raw_string() {
    const std::size_t open = in_.find('(', at_);
    const std::string end = ")" + std::string(in_.substr(at_ + 2, open - at_ - 2)) + "\"";
    const std::size_t found = in_.find(end, open);
    skip(found == std::string_view::npos ? in_.size() : found + end.size(), "s");
  }

  void skip_quoted(char quote) {
    std::size_t end = at_ + 1;
    while (end < in_.size() && in_[end] != quote) end += in_[end] == '\\' ? 2 : 1;
    skip(end + 1, "s");
  }

  std::string_view in_;
  std::size_t at_ = 0;
  std::string out_;
};

// What stands before an opening brace ends like a function: "f(int a) const", "[](int a)".
bool is_function_head(const std::string& head) {
  const std::size_t close = head.rfind(')');
  if (close == std::string::npos) return false;
  std::istringstream rest(head.substr(close + 1));
  for (std::string word; rest >> word;) {
    if (word.starts_with("->")) return true;  // what follows is the type
    if (word != "const" && word != "noexcept" && word != "override" && word != "final" &&
        word != "mutable") {
      return false;
    }
  }
  return true;
}

struct Block {
  std::size_t line;
  bool is_function;
  std::string head;
};

}  // namespace

std::vector<FunctionLength> function_lengths(std::string_view source) {
  std::vector<FunctionLength> out;
  std::vector<Block> open;
  std::string head;
  std::size_t line = 1, functions_open = 0;
  for (const char c : Blanker(source).blanked()) {
    if (c == '\n') ++line;
    if (c == '{') {
      const bool is_function = functions_open == 0 && is_function_head(head);
      functions_open += is_function || functions_open > 0 ? 1 : 0;
      open.push_back({line, is_function, head});
      head.clear();
    } else if (c == '}' && !open.empty()) {
      const Block block = open.back();
      open.pop_back();
      functions_open -= functions_open > 0 ? 1 : 0;
      if (block.is_function) out.push_back({block.line, line - block.line + 1});
      // After "a_{1}" of a constructor, or "= {}" of an argument, the head goes on.
      head = !block.is_function && block.line == line ? block.head + "()" : "";
    } else if (c == ';') {
      head.clear();
    } else {
      head += c;
    }
  }
  return out;
}

}  // namespace pnsim::test
