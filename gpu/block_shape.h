// How many words a thread takes in the programs whose blocks work alone: what their kernels and
// their references share. C++17, no dependencies: nvcc reads it.
#pragma once

namespace pnsim::gpu {

inline constexpr unsigned kSummandsPerThread = 8;  // block_reduction
inline constexpr unsigned kCountedPerThread = 16;  // histogram
inline constexpr unsigned kSortedPerThread = 2;    // bitonic_block: a thread a comparison

}  // namespace pnsim::gpu
