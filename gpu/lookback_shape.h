// A constant of the scan over all blocks. C++17 without dependencies, because nvcc compiles it.
#pragma once

namespace pnsim::gpu {

inline constexpr unsigned kScannedPerThread = 8;

}  // namespace pnsim::gpu
