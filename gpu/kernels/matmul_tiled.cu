// matmul_tiled: a matrix product in which each block stages square tiles of A and B in shared
// memory. Every loaded word serves a whole row or column of the block. The tile edge is a template
// parameter, so that the inner loop unrolls: one kernel per edge.
#include "gpu/kernels/matmul_common.cuh"

namespace pnsim::gpu {
namespace {

// Elements outside the matrices count as zeros.
template <unsigned kTile>
__device__ void multiply_by_tiles(const MatmulArgs& args) {
  __shared__ float a[kTile][kTile];
  __shared__ float b[kTile][kTile];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned row = blockIdx.y * kTile + y;
  const unsigned column = blockIdx.x * kTile + x;
  float sum = 0;
  for (unsigned first = 0; first < args.n; first += kTile) {
    const bool is_in_a = row < args.n && first + x < args.n;
    const bool is_in_b = first + y < args.n && column < args.n;
    a[y][x] = is_in_a ? args.a[row * args.n + first + x] : 0;
    b[y][x] = is_in_b ? args.b[(first + y) * args.n + column] : 0;
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < kTile; ++k) sum += a[y][k] * b[k][x];
    __syncthreads();  // before the next tiles overwrite these
  }
  if (row < args.n && column < args.n) args.c[row * args.n + column] = sum;
}

}  // namespace
}  // namespace pnsim::gpu

using pnsim::gpu::MatmulArgs;

extern "C" __global__ void matmul_tiled_8(MatmulArgs args) {
  pnsim::gpu::multiply_by_tiles<8>(args);
}
extern "C" __global__ void matmul_tiled_16(MatmulArgs args) {
  pnsim::gpu::multiply_by_tiles<16>(args);
}
extern "C" __global__ void matmul_tiled_32(MatmulArgs args) {
  pnsim::gpu::multiply_by_tiles<32>(args);
}

namespace pnsim::gpu {
namespace {

struct TiledKernel {
  unsigned tile;
  const char* name;
  void (*function)(MatmulArgs);
};
constexpr TiledKernel kKernels[] = {{8, "matmul_tiled_8", matmul_tiled_8},
                                    {16, "matmul_tiled_16", matmul_tiled_16},
                                    {32, "matmul_tiled_32", matmul_tiled_32}};

const TiledKernel& kernel_of(unsigned tile) {
  for (const TiledKernel& kernel : kKernels) {
    if (kernel.tile == tile) return kernel;
  }
  throw Error(ExitCode::kInternal, "matmul_tiled has no kernel for this tile");
}

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const TiledKernel& kernel = kernel_of(unsigned_of(axes, "tile"));
  return {{kernel.name,
           reinterpret_cast<const void*>(kernel.function),
           matmul_grid(axes),
           {kernel.tile, kernel.tile},
           0,
           matmul_args(axes, buffers)}};
}

[[maybe_unused]] const bool kRegistered = register_program({"matmul_tiled", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
