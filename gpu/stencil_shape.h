// The shape of the stencil: what its kernel and its reference share.
// C++17, no dependencies: nvcc reads it.
#pragma once

namespace pnsim::gpu {

// A step moves this share of the difference to each neighbour; exact in binary.
inline constexpr float kDiffusion = 0.125f;

}  // namespace pnsim::gpu
