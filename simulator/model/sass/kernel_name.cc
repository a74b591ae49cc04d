#include "simulator/model/sass/kernel_name.h"

#include <string_view>

namespace pnsim {

std::string plain_kernel_name(std::string name) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  for (auto at = name.find(kAnonymous); at != std::string::npos; at = name.find(kAnonymous)) {
    name.erase(at, kAnonymous.size());
  }
  int depth = 0;
  std::string plain;
  for (const char c : name) {
    if (c == '<') ++depth;
    if (c == '(' && depth == 0) break;
    if (depth == 0) plain += c;
    if (c == '>') --depth;
  }
  while (!plain.empty() && plain.back() == ' ') plain.pop_back();
  return plain.substr(plain.rfind(' ') + 1);  // a template's name comes with its return type
}

}  // namespace pnsim
