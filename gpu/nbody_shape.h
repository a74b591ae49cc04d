// Constants that the kernel and the reference of the n-body program share. C++17 without
// dependencies, because nvcc compiles it.
#pragma once

namespace pnsim::gpu {

// Added to squared distances, so that close bodies (and a body itself) attract with finite force.
// Exact in binary.
inline constexpr float kSoftening = 0.0078125f;

}  // namespace pnsim::gpu
