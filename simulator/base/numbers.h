// Numbers as they are typed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pnsim {

// What is wrong with a text that should be a whole number from 0 to 2^64 - 1, in decimal digits
// alone; "" when nothing is. A parser of flags takes "-1" or "" as well, and wraps or saturates.
std::string fault_of_u64(const std::string& text);

// A number as a profiler writes it, without its commas: "4,096.5" -> "4096.5". Nothing where they
// do not stand before groups of three digits, as in the decimal "1,5".
std::optional<std::string> without_separators(std::string_view text);

}  // namespace pnsim
