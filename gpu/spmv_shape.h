// The input layout that the kernels and the reference of the sparse matrix product share. C++17,
// because nvcc compiles it.
#pragma once

#include "gpu/axis_values.h"

namespace pnsim::gpu {

// Offsets of the parts of the input in words: row starts (rows + 1), columns and values of the
// entries, the vector (rows). The average number of entries per row is always entries_a_row.
struct SpmvShape {
  std::size_t rows, entries;

  std::size_t columns_at() const { return rows + 1; }
  std::size_t values_at() const { return columns_at() + entries; }
  std::size_t vector_at() const { return values_at() + entries; }
  std::size_t words() const { return vector_at() + rows; }
};

inline SpmvShape spmv_shape(const AxisValues& axes) {
  const auto rows = static_cast<std::size_t>(value_of(axes, "rows"));
  return {rows, rows * static_cast<std::size_t>(value_of(axes, "entries"))};
}

}  // namespace pnsim::gpu
