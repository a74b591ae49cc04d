// A constant that the kernel and the reference of the stencil share. C++17 without dependencies,
// because nvcc compiles it.
#pragma once

namespace pnsim::gpu {

// The share of the difference that one step moves to each neighbour; exact in binary.
inline constexpr float kDiffusion = 0.125f;

}  // namespace pnsim::gpu
