// A description of a matrix in global memory for the copy engine of compute capability 9.0.
#pragma once

#include <cudaTypedefs.h>

#include <cstdint>

namespace pnsim::gpu {

enum class BoxElement { kHalf, kFloat };
enum class BoxSwizzle { kNone, k128Bytes };

struct BoxedMatrix {
  void* data;  // row-major, 16-byte aligned
  std::uint64_t rows, columns, row_bytes;
  unsigned box_rows, box_columns;  // 1 to 256 each
  BoxElement element = BoxElement::kHalf;
  BoxSwizzle swizzle = BoxSwizzle::kNone;
};

// Passed to a kernel as a __grid_constant__ parameter. Throws error 4 when the driver lacks the
// function or refuses the matrix.
CUtensorMap tensor_map(const BoxedMatrix& matrix);

}  // namespace pnsim::gpu
