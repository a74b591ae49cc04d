#include "gpu/half_bits.h"

#include <cmath>
#include <cstring>

namespace pnsim::gpu {

std::uint16_t half_of_64ths(int number) {
  const float value = static_cast<float>(number) / 64;
  if (value == 0) return 0;
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  constexpr std::uint32_t kBiasDifference = 127 - 15;
  return static_cast<std::uint16_t>((bits >> 31 << 15) |
                                    (((bits >> 23 & 0xffu) - kBiasDifference) << 10) |
                                    (bits >> 13 & 0x3ffu));
}

int whole_64ths(std::uint16_t half) {
  if ((half & 0x7fffu) == 0) return 0;
  const double value = std::ldexp(1024.0 + (half & 0x3ffu), (half >> 10 & 0x1f) - 25);
  return static_cast<int>((half >> 15 ? -value : value) * 64);
}

}  // namespace pnsim::gpu
