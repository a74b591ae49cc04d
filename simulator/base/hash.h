// Ids of rows: a short, stable hash of what was run.
#pragma once

#include <string>
#include <string_view>

namespace pnsim {

// 16 hexadecimal digits: 64-bit FNV-1a of the bytes. Not for security.
std::string hash_id(std::string_view text);

}  // namespace pnsim
