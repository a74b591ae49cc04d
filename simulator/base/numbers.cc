#include "simulator/base/numbers.h"

#include <charconv>
#include <cstdint>

namespace pnsim {

std::string fault_of_u64(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool leading_zero = text.size() > 1 && text[0] == '0';
  if (error == std::errc() && end == text.data() + text.size() && !leading_zero) return "";
  return "found \"" + text + "\", expected a whole number from 0 to 2^64 - 1 in decimal digits";
}

}  // namespace pnsim
