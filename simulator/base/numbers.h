// Numbers as they are typed.
#pragma once

#include <string>

namespace pnsim {

// What is wrong with a text that should be a whole number from 0 to 2^64 - 1, in decimal digits
// alone; "" when nothing is. A parser of flags takes "-1" or "" as well, and wraps or saturates.
std::string fault_of_u64(const std::string& text);

}  // namespace pnsim
