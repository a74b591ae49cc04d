#include "simulator/base/brackets.h"

#include <cctype>

namespace pnsim {
namespace {

void erase_all(std::string& name, std::string_view text) {
  for (auto at = name.find(text); at != std::string::npos; at = name.find(text, at)) {
    name.erase(at, text.size());
  }
}

// True if the character before `at` may end an identifier.
bool follows_a_name(const std::string& name, std::size_t at) {
  return at > 0 && (std::isalnum(static_cast<unsigned char>(name[at - 1])) || name[at - 1] == '_');
}

}  // namespace

bool Brackets::read(char c) {
  constexpr std::string_view kOpening = "<({[", kClosing = ">)}]";
  const bool is_arrow = c == '>' && before_ == '-';
  before_ = c;
  if (kOpening.find(c) != std::string_view::npos) {
    open_ += c;
    return true;
  }
  const auto closing = is_arrow ? std::string_view::npos : kClosing.find(c);
  if (closing != std::string_view::npos) {
    const auto opening = open_.rfind(kOpening[closing]);
    const bool is_comparison = c == '>' && opening + 1 != open_.size();
    if (opening != std::string::npos && !is_comparison) {
      open_.resize(opening);
      return true;
    }
  }
  return are_open();
}

std::string without_unnamed_namespaces(std::string name) {
  constexpr std::string_view kUnnamed = "unnamed>::";
  erase_all(name, "(anonymous namespace)::");
  for (auto at = name.find(kUnnamed); at != std::string::npos; at = name.find(kUnnamed, at)) {
    if (follows_a_name(name, at)) {  // the end of another name
      at += kUnnamed.size();
      continue;
    }
    const bool has_bracket = at > 0 && name[at - 1] == '<';
    const bool is_its_own = has_bracket && !follows_a_name(name, at - 1);
    if (is_its_own) --at;
    name.erase(at, kUnnamed.size() + (is_its_own ? 1 : 0));
  }
  return name;
}

std::string without_brackets(std::string_view name) {
  std::string text;
  Brackets brackets;
  for (const char c : name) {
    if (!brackets.read(c)) text += c;
  }
  return text;
}

}  // namespace pnsim
