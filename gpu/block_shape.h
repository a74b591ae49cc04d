// Words per thread in the programs whose blocks work independently. Their kernels and references
// share these constants. C++17 without dependencies, because nvcc compiles it.
#pragma once

namespace pnsim::gpu {

inline constexpr unsigned kSummandsPerThread = 8;  // block_reduction
inline constexpr unsigned kCountedPerThread = 16;  // histogram
inline constexpr unsigned kSortedPerThread = 2;    // bitonic_block: one thread per comparison

}  // namespace pnsim::gpu
