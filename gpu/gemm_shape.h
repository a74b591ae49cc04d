// What the matrix products on tensor cores share with their reference: C = A * B', with A of m rows
// and B of n rows, both with k elements per row. C++17, because nvcc compiles it.
#pragma once

#include <cstddef>

namespace pnsim::gpu {

enum class GemmType { kHalf = 0, kTf32 = 1, kInt8 = 2, kDouble = 3 };

inline constexpr unsigned bytes_of(GemmType type) {
  return type == GemmType::kHalf   ? 2
         : type == GemmType::kTf32 ? 4
         : type == GemmType::kInt8 ? 1
                                   : 8;
}

// Rows are filled up with zeros to whole lines of 128 bytes, so that copies of whole lines fit.
inline constexpr std::size_t gemm_row_bytes(GemmType type, std::size_t k) {
  constexpr std::size_t kLine = 128;
  return (k * bytes_of(type) + kLine - 1) / kLine * kLine;
}

// An element is a whole number from -32 to 31 over 64 (int8: the whole number). The result is that
// of the fractions for every type.
inline constexpr int kGemmLeast = -32, kGemmMost = 31;
inline constexpr float kGemmUnit = 1.0f / 64;

}  // namespace pnsim::gpu
