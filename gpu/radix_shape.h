// The shape of the radix sorts: what the kernels, the catalogue and the host reference share.
// C++17, no dependencies: nvcc reads it.
#pragma once

#include <cstdint>

namespace pnsim::gpu {

// One pass a bit, bit 0 first.
inline constexpr std::uint32_t kPasses = 32;

// Keys of one node (a thread). 8 keys are 32 bytes: one memory sector, the least that a thread can
// fetch without fetching its neighbour's part too. And 8 * 1024 keys (the largest block) fill
// 32 KiB: they fit into the shared memory every GPU gives a block without being asked.
inline constexpr std::uint32_t kKeysPerThread = 8;

// Largest problem: positions are 32-bit, and a few blocks more than n must not overflow them.
inline constexpr std::uint32_t kMaxKeys = 1u << 28;

}  // namespace pnsim::gpu
