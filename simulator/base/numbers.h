// Numbers as a user types them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pnsim {

// Returns what is wrong with a text that should be an integer from 0 to 2^64 - 1 in decimal digits,
// or "" when it is valid. The flag parser also accepts "-1" and "", and wraps or saturates.
std::string fault_of_u64(const std::string& text);

// The same for a number of percent from 0 to 100.
std::string fault_of_percent(const std::string& text);

// The same for a whole number of any size, also a negative one. Flag parsers read "010" as 8.
std::string fault_of_decimal(const std::string& text);

// A 64-bit integer in decimal digits; nothing for other text.
std::optional<std::int64_t> parse_integer(std::string_view text);

// A 64-bit integer in decimal digits, or a power of two such integers: "1024", "2^10". Returns
// nothing for other text, and for a power that 64 bits cannot hold.
std::optional<std::int64_t> parse_integer_or_power(std::string_view text);

// Removes the thousands separators of a profiler's number: "4,096.5" -> "4096.5", also apostrophes
// and no-break spaces, which other locales use. Returns nothing when a separator does not precede a
// group of three digits, as in the decimal "1,5".
std::optional<std::string> without_separators(std::string_view text);

// The text with `mark` in place of apostrophes (' and U+2019) and no-break spaces (U+00A0, U+202F).
std::string with_group_marks(std::string_view text, std::string_view mark);

// The double nearest to a decimal number that takes the whole text: "3", "-2.5e-3", "inf", "nan".
// Returns nothing for other text, and for a number that no double can hold.
std::optional<double> parse_double(std::string_view text);

// The same for C++ libraries whose std::from_chars reads no doubles; tests compare the two.
std::optional<double> parse_double_by_strtod(std::string_view text);

}  // namespace pnsim
