#include "simulator/base/numbers.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace pnsim {
std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string fault_of_u64(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool leading_zero = text.size() > 1 && text[0] == '0';
  if (error == std::errc() && end == text.data() + text.size() && !leading_zero) return "";
  return "found \"" + text + "\", expected a whole number from 0 to 2^64 - 1 in decimal digits";
}

std::string fault_of_decimal(const std::string& text) {
  const std::string_view digits = std::string_view(text).substr(text.starts_with('-') ? 1 : 0);
  const bool has_digits_alone =
      !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  const bool leading_zero = digits.size() > 1 && digits[0] == '0';
  if (has_digits_alone && !leading_zero) return "";
  return "found \"" + text +
         "\", expected a whole number in decimal digits, without zeros before it";
}

std::optional<std::int64_t> parse_integer_or_power(std::string_view text) {
  const std::size_t caret = text.find('^');
  if (caret == std::string_view::npos) return parse_integer(text);
  const auto base = parse_integer(text.substr(0, caret));
  const auto exponent = parse_integer(text.substr(caret + 1));
  if (!base || !exponent || *exponent < 0 || *exponent > 63) return std::nullopt;
  std::int64_t power = 1;
  for (std::int64_t i = 0; i < *exponent; ++i) {
    if (__builtin_mul_overflow(power, *base, &power)) return std::nullopt;
  }
  return power;
}

std::string fault_of_percent(const std::string& text) {
  const std::optional<double> percent = parse_double(text);
  if (percent && *percent >= 0 && *percent <= 100) return "";
  return "found \"" + text + "\", expected a number of percent from 0 to 100, such as 2.5";
}

std::string with_group_marks(std::string_view text, std::string_view mark) {
  std::string out(text);
  for (const std::string_view other : {"'", "\u2019", "\u00A0", "\u202F"}) {
    for (std::size_t at = 0; (at = out.find(other, at)) != std::string::npos; at += mark.size()) {
      out.replace(at, other.size(), mark);
    }
  }
  return out;
}

std::optional<std::string> without_separators(std::string_view written) {
  const std::string text = with_group_marks(written, ",");
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  const std::size_t end = std::min(text.find_first_not_of("0123456789,", sign), text.size());
  const std::string_view whole = std::string_view(text).substr(0, end);
  const std::size_t first = whole.find(',');
  if (text.find(',', end) != std::string::npos) return std::nullopt;
  if (first != std::string::npos && (first == sign || first > sign + 3)) return std::nullopt;
  for (std::size_t at = first; at != std::string::npos; at = whole.find(',', at + 1)) {
    if ((whole.size() - at) % 4 != 0) return std::nullopt;
  }
  std::string out(text);
  std::erase(out, ',');
  return out;
}

std::optional<double> parse_double(std::string_view text) {
#if defined(__cpp_lib_to_chars)
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
#else
  return parse_double_by_strtod(text);
#endif
}

std::optional<double> parse_double_by_strtod(std::string_view text) {
  // strtod also reads a plus sign, leading blanks and hexadecimal numbers.
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  const bool begins =
      !digits.empty() &&
      (std::isalnum(static_cast<unsigned char>(digits[0])) != 0 || digits[0] == '.');
  if (!begins || text.find_first_of("xX") != std::string_view::npos) return std::nullopt;
  const std::string whole(text);
  char* end = nullptr;
  errno = 0;
  const double value = std::strtod(whole.c_str(), &end);
  if (end != whole.c_str() + whole.size()) return std::nullopt;
  const bool is_lost = errno == ERANGE && (value == 0 || std::isinf(value));
  return is_lost ? std::nullopt : std::optional(value);
}

}  // namespace pnsim
