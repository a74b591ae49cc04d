// Constants that the kernels and the reference of the Sobel programs share. C++17 without
// dependencies, because nvcc compiles it.
#pragma once

namespace pnsim::gpu {

// A pixel is on an edge when the magnitude of its gradient exceeds this. Grey values are 0 ... 255,
// so gradients reach 1442; for random pixels about half exceed the threshold.
inline constexpr int kSobelThreshold = 256;

inline constexpr unsigned kEdge = 255;  // output grey value of an edge; all other pixels are 0

}  // namespace pnsim::gpu
