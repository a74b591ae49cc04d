#include "simulator/base/brackets.h"

#include <cctype>

namespace pnsim {
namespace {

// True if a name with its outer namespaces cut off may begin behind `text`.
bool may_begin_behind(const std::string& text) {
  constexpr std::string_view kBefore = " <(,&*";
  return text.empty() || kBefore.find(text.back()) != std::string_view::npos;
}

bool ends_a_name(const std::string& text) {
  return !text.empty() &&
         (std::isalnum(static_cast<unsigned char>(text.back())) || text.back() == '_');
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

std::string without_unnamed_namespaces(std::string_view name) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)::", kUnnamed = "unnamed>::";
  std::string text;
  for (std::size_t at = 0; at < name.size();) {
    const std::string_view rest = name.substr(at);
    if (rest.starts_with(kAnonymous)) {
      at += kAnonymous.size();
    } else if (rest.starts_with(kUnnamed) && may_begin_behind(text)) {
      at += kUnnamed.size();
      const bool has_bracket = text.ends_with('<');
      if (!has_bracket) continue;
      text.pop_back();
      if (ends_a_name(text)) text += '<';  // of its template arguments
    } else {
      text += name[at++];
    }
  }
  return text;
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
