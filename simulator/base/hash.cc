#include "simulator/base/hash.h"

#include <cstdint>
#include <cstdio>

namespace pnsim {

std::string hash_id(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a offset basis and prime (Fowler, Noll, Vo)
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

}  // namespace pnsim
