// matmul_plain: a matrix product in which every thread reads a row of A and a column of B from
// global memory. The threads of a warp read the same words of A and consecutive words of B.
#include "gpu/kernels/matmul_common.cuh"

// extern "C" gives the kernel its plain name in a profile.
extern "C" __global__ void matmul_plain(pnsim::gpu::MatmulArgs args) {
  const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= args.n || column >= args.n) return;
  float sum = 0;
  for (unsigned k = 0; k < args.n; ++k) {
    sum += args.a[row * args.n + k] * args.b[k * args.n + column];
  }
  args.c[row * args.n + column] = sum;
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const unsigned tile = unsigned_of(axes, "tile");
  return {{"matmul_plain",
           reinterpret_cast<const void*>(matmul_plain),
           matmul_grid(axes),
           {tile, tile},
           0,
           matmul_args(axes, buffers)}};
}

[[maybe_unused]] const bool kRegistered = register_program({"matmul_plain", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
