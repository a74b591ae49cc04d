// Constants of the radix sorts that the kernels, the catalogue and the host reference share. C++17
// without dependencies, because nvcc compiles it.
#pragma once

#include <cstdint>

namespace pnsim::gpu {

// One pass per bit, starting with bit 0.
inline constexpr std::uint32_t kPasses = 32;

// Keys per node (thread). 8 keys are 32 bytes: one memory sector, the smallest unit that a thread
// can load without loading a part of its neighbour. 8 * 1024 keys (the largest block) fill 32 KiB,
// which fits into the default shared memory per block of every GPU.
inline constexpr std::uint32_t kKeysPerThread = 8;

// Largest problem size: positions are 32-bit, and a few blocks beyond n must not overflow them.
inline constexpr std::uint32_t kMaxKeys = 1u << 28;

}  // namespace pnsim::gpu
