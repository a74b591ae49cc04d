#include "simulator/base/extension.h"

#include <algorithm>
#include <cctype>

namespace pnsim {

bool has_extension(std::string_view path, std::string_view extension) {
  if (path.size() < extension.size()) return false;
  const auto is_same = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  return std::equal(extension.begin(), extension.end(), path.end() - extension.size(), is_same);
}

}  // namespace pnsim
