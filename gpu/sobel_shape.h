// The shape of the Sobel programs: what their kernels and their reference share.
// C++17, no dependencies: nvcc reads it.
#pragma once

namespace pnsim::gpu {

// A pixel is on an edge when its gradient is longer than this. Grey values are 0 ... 255, so that
// gradients reach 1442; of random pixels about half are above.
inline constexpr int kSobelThreshold = 256;

inline constexpr unsigned kEdge = 255;  // the output's grey value of an edge; all else is 0

}  // namespace pnsim::gpu
