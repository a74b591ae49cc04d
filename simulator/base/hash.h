// Row ids: a short, stable hash of the configuration that was run.
#pragma once

#include <string>
#include <string_view>

namespace pnsim {

// Returns the 64-bit FNV-1a hash of the bytes as 16 hexadecimal digits. It is not cryptographic.
std::string hash_id(std::string_view text);

}  // namespace pnsim
