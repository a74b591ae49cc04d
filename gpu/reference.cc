#include "gpu/reference.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace pnsim::gpu {
namespace {

float float_of(std::uint32_t word) {
  float number = 0;
  std::memcpy(&number, &word, sizeof(number));
  return number;
}

std::string text_of(std::uint32_t word, bool is_float) {
  if (!is_float) return std::to_string(word);
  char text[32];
  std::snprintf(text, sizeof(text), "%.9g", static_cast<double>(float_of(word)));
  return text;
}

bool is_right(std::uint32_t found, const Expected& expected, std::size_t i) {
  if (expected.tolerance.empty()) return found == expected.words[i];
  // The form of this comparison makes a NaN wrong.
  return std::fabs(double{float_of(found)} - double{float_of(expected.words[i])}) <=
         double{expected.tolerance[i]};
}

}  // namespace

std::optional<Difference> difference(const Words& found, const Expected& expected) {
  const std::size_t size = expected.words.size();
  if (found.size() != size) {
    return Difference{
        std::max(found.size(), size),
        "found " + std::to_string(found.size()) + " elements, expected " + std::to_string(size)};
  }
  Difference difference;
  const bool is_float = !expected.tolerance.empty();
  for (std::size_t i = 0; i < size; ++i) {
    if (is_right(found[i], expected, i)) continue;
    if (difference.wrong_elements++ == 0) {
      difference.first = "position " + std::to_string(i) + ": found " +
                         text_of(found[i], is_float) + ", expected " +
                         text_of(expected.words[i], is_float);
    }
  }
  if (difference.wrong_elements == 0) return std::nullopt;
  return difference;
}

}  // namespace pnsim::gpu
