// Shared by the two matrix products: C = A * B, all n x n, row-major.
#pragma once

#include "gpu/kernels/kernel_program.h"

namespace pnsim::gpu {

struct MatmulArgs {
  const float* a;  // [n][n]
  const float* b;  // [n][n]
  float* c;        // [n][n]
  unsigned n;
};

// The input holds A, then B.
inline MatmulArgs matmul_args(const AxisValues& axes, const PassBuffers& buffers) {
  const unsigned n = unsigned_of(axes, "n");
  const float* const a = reinterpret_cast<const float*>(buffers.source);
  const float* const b = a == nullptr ? nullptr : a + std::size_t{n} * n;
  return {a, b, reinterpret_cast<float*>(buffers.target), n};
}

// A grid of square blocks that covers the matrix.
inline Extent matmul_grid(const AxisValues& axes) {
  const unsigned tile = unsigned_of(axes, "tile");
  const unsigned tiles = (unsigned_of(axes, "n") + tile - 1) / tile;
  return {tiles, tiles};
}

}  // namespace pnsim::gpu
