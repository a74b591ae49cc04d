// sobel_global: Sobel edge detection in which each thread reads its pixel's eight neighbours from
// global memory. Adjacent threads read six of them again.
#include "gpu/kernels/sobel_common.cuh"

extern "C" __global__ void sobel_global(pnsim::gpu::SobelArgs args) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= args.width || y >= args.height) return;
  const bool is_inside = x > 0 && x + 1 < args.width && y > 0 && y + 1 < args.height;
  const unsigned i = y * args.width + x;
  args.edges[i] = is_inside ? pnsim::gpu::edge_at(args.image + i, args.width) : 0;
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const SobelArgs args = sobel_args(axes, buffers);
  const unsigned tile = unsigned_of(axes, "tile");
  const Extent grid = {(args.width + tile - 1) / tile, (args.height + tile - 1) / tile};
  return {
      {"sobel_global", reinterpret_cast<const void*>(sobel_global), grid, {tile, tile}, 0, args}};
}

[[maybe_unused]] const bool kRegistered = register_program({"sobel_global", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
