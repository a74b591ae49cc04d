// Halves (16-bit floats) of small fractions on the host, exact.
#pragma once

#include <cstdint>

namespace pnsim::gpu {

// The bits of number / 64 as a half, for numbers from -64 to 64.
std::uint16_t half_of_64ths(int number);
// The other way round, for such halves.
int whole_64ths(std::uint16_t half);

}  // namespace pnsim::gpu
