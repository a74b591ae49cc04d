// transpose: each block transposes a tile of 32 x 32 words in shared memory, so that it reads and
// writes whole lines in global memory. It reads the tile by columns. Without one padding word per
// row, all words of a column lie in the same bank.
#include "gpu/kernels/kernel_program.h"

namespace pnsim::gpu {
namespace {

constexpr unsigned kEdge = 32;

struct TransposeArgs {
  const std::uint32_t* in;  // [n][n]
  std::uint32_t* out;       // [n][n]
  unsigned n;
};

template <unsigned kPadding>
__device__ void turn_tile(const TransposeArgs& args) {
  __shared__ std::uint32_t tile[kEdge][kEdge + kPadding];
  const unsigned left = blockIdx.x * kEdge, top = blockIdx.y * kEdge, n = args.n;
  for (unsigned y = threadIdx.y; y < kEdge; y += blockDim.y) {
    const bool is_inside = left + threadIdx.x < n && top + y < n;
    if (is_inside) tile[y][threadIdx.x] = args.in[(top + y) * n + left + threadIdx.x];
  }
  __syncthreads();
  for (unsigned y = threadIdx.y; y < kEdge; y += blockDim.y) {
    const bool is_inside = top + threadIdx.x < n && left + y < n;
    if (is_inside) args.out[(left + y) * n + top + threadIdx.x] = tile[threadIdx.x][y];
  }
}

}  // namespace
}  // namespace pnsim::gpu

extern "C" __global__ void transpose_plain(pnsim::gpu::TransposeArgs args) {
  pnsim::gpu::turn_tile<0>(args);
}
extern "C" __global__ void transpose_padded(pnsim::gpu::TransposeArgs args) {
  pnsim::gpu::turn_tile<1>(args);
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const TransposeArgs args = {buffers.source, buffers.target, unsigned_of(axes, "n")};
  const bool is_padded = value_of(axes, "padding") == 1;
  const unsigned tiles = (args.n + kEdge - 1) / kEdge;
  return {{is_padded ? "transpose_padded" : "transpose_plain",
           reinterpret_cast<const void*>(is_padded ? transpose_padded : transpose_plain),
           {tiles, tiles},
           {kEdge, unsigned_of(axes, "rows")},
           0,
           args}};
}

[[maybe_unused]] const bool kRegistered = register_program({"transpose", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
