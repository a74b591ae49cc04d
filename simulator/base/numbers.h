// Numbers as a user types them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pnsim {

// Returns what is wrong with a text that should be an integer from 0 to 2^64 - 1 in decimal digits,
// or "" when it is valid. The flag parser also accepts "-1" and "", and wraps or saturates.
std::string fault_of_u64(const std::string& text);

// Removes the thousands separators of a profiler's number: "4,096.5" -> "4096.5". Returns nothing
// when a comma does not precede a group of three digits, as in the decimal "1,5".
std::optional<std::string> without_separators(std::string_view text);

}  // namespace pnsim
