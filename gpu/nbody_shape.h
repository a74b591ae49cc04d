// The shape of the n-body program: what its kernel and its reference share.
// C++17, no dependencies: nvcc reads it.
#pragma once

namespace pnsim::gpu {

// Added to squared distances, so that near bodies (and a body itself) pull finitely; exact in
// binary.
inline constexpr float kSoftening = 0.0078125f;

}  // namespace pnsim::gpu
