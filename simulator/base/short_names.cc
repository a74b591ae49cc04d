#include "simulator/base/short_names.h"

#include <cctype>
#include <string_view>

namespace pnsim {
namespace {

constexpr std::size_t kMostOfFile = 40, kMostOfNumbered = 24, kMostOfKernel = 56;  // bytes

std::string cut(const std::string& name, std::size_t most) {
  if (name.size() <= most) return name;
  std::size_t end = most - 3;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80)
    --end;  // do not split a UTF-8 character
  return name.substr(0, end) + "...";
}

bool is_of_name(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || c == '$' || byte >= 0x80;
}

// Whether no plain name stands at the end: "<unnamed>", "Gemm<int>", "f()", "[lambda]", "{lambda}".
bool ends_in_bracket(const std::string& name) {
  return !name.empty() && std::string_view(">)]}'").find(name.back()) != std::string_view::npos;
}

std::string without_namespaces(const std::string& name) {
  std::string out;
  std::size_t word = 0;  // where the last name in `out` begins
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_of_pointer = i + 2 < name.size() && name[i + 2] == '*';  // "int (A::*)(int)"
    if (name.compare(i, 2, "::") == 0 && !is_of_pointer && !ends_in_bracket(out)) {
      out.resize(word);
      ++i;
      continue;
    }
    if (!is_of_name(name[i])) word = out.size() + 1;
    out += name[i];
  }
  return out;
}

}  // namespace

std::string short_file(const std::string& name) {
  const std::size_t digits = name.find_first_not_of("0123456789");
  const bool is_numbered = digits != 0 && digits != std::string::npos && name[digits] == '-';
  return cut(name, is_numbered ? kMostOfNumbered : kMostOfFile);
}

std::string short_kernel(const std::string& name, const std::string& template_arguments) {
  return cut(without_namespaces(name + template_arguments), kMostOfKernel);
}

}  // namespace pnsim
