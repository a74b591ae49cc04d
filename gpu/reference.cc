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

// Number i of the words as it is compared: a float, or a double of two words.
double number_at(const Words& words, const Expected& expected, std::size_t i) {
  if (!expected.is_double) return double{float_of(words[i])};
  double number = 0;
  std::memcpy(&number, &words[2 * i], sizeof(number));
  return number;
}

std::string text_of(const Words& words, const Expected& expected, std::size_t i) {
  if (expected.tolerance.empty()) return std::to_string(words[i]);
  char text[32];
  std::snprintf(text, sizeof(text), expected.is_double ? "%.17g" : "%.9g",
                number_at(words, expected, i));
  return text;
}

bool is_right(const Words& found, const Expected& expected, std::size_t i) {
  if (expected.tolerance.empty()) return found[i] == expected.words[i];
  // The form of this comparison makes a NaN wrong.
  return std::fabs(number_at(found, expected, i) - number_at(expected.words, expected, i)) <=
         double{expected.tolerance[expected.is_double ? 2 * i : i]};
}

}  // namespace

std::uint64_t Expected::compared() const {
  if (tolerance.empty()) return words.size();
  const std::size_t step = is_double ? 2 : 1;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < tolerance.size(); i += step) count += std::isfinite(tolerance[i]);
  return count;
}

std::optional<Difference> difference(const Words& found, const Expected& expected) {
  const std::size_t size = expected.words.size();
  if (found.size() != size) {
    return Difference{
        std::max(found.size(), size),
        "found " + std::to_string(found.size()) + " elements, expected " + std::to_string(size)};
  }
  Difference difference;
  for (std::size_t i = 0; i < expected.numbers(); ++i) {
    if (is_right(found, expected, i)) continue;
    if (difference.wrong_elements++ == 0) {
      difference.first = "position " + std::to_string(i) + ": found " +
                         text_of(found, expected, i) + ", expected " +
                         text_of(expected.words, expected, i);
    }
  }
  if (difference.wrong_elements == 0) return std::nullopt;
  return difference;
}

}  // namespace pnsim::gpu
