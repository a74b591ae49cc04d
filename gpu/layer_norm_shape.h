// A constant that the layer normalisation shares with its reference. C++17 without dependencies,
// because nvcc compiles it.
#pragma once

namespace pnsim::gpu {

inline constexpr float kLeastVariance = 0x1p-16f;  // added to variances

}  // namespace pnsim::gpu
