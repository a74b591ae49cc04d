#include "simulator/base/brackets.h"

namespace pnsim {

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

std::string without_brackets(std::string_view name) {
  std::string text;
  Brackets brackets;
  for (const char c : name) {
    if (!brackets.read(c)) text += c;
  }
  return text;
}

}  // namespace pnsim
