// sobel_tiled: Sobel edge detection in which a block of M x M threads loads M x M pixels into
// shared memory, one per thread. It colours the (M - 2) x (M - 2) pixels whose neighbours are all
// loaded. Tiles overlap by the border that a block loads but does not colour. Pixels outside the
// image are loaded as 0 and never used, because the border of the image is no edge.
#include "gpu/kernels/sobel_common.cuh"

extern "C" __global__ void sobel_tiled(pnsim::gpu::SobelArgs args) {
  extern __shared__ std::uint32_t tile[];  // [M][M]
  const int inner = static_cast<int>(blockDim.x) - 2;
  const int x = static_cast<int>(blockIdx.x) * inner + static_cast<int>(threadIdx.x) - 1;
  const int y = static_cast<int>(blockIdx.y) * inner + static_cast<int>(threadIdx.y) - 1;
  const int width = static_cast<int>(args.width), height = static_cast<int>(args.height);
  const bool is_in_image = x >= 0 && x < width && y >= 0 && y < height;
  const unsigned staged = threadIdx.y * blockDim.x + threadIdx.x;
  tile[staged] = is_in_image ? args.image[y * width + x] : 0;
  __syncthreads();
  const bool is_on_tile_rim = threadIdx.x == 0 || threadIdx.x + 1 == blockDim.x ||
                              threadIdx.y == 0 || threadIdx.y + 1 == blockDim.y;
  if (!is_in_image || is_on_tile_rim) return;
  const bool is_inside = x > 0 && x + 1 < width && y > 0 && y + 1 < height;
  args.edges[y * width + x] = is_inside ? pnsim::gpu::edge_at(tile + staged, blockDim.x) : 0;
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const SobelArgs args = sobel_args(axes, buffers);
  const unsigned tile = unsigned_of(axes, "tile");
  const unsigned inner = tile - 2;
  const Extent grid = {(args.width + inner - 1) / inner, (args.height + inner - 1) / inner};
  const unsigned shared_bytes = tile * tile * unsigned{sizeof(std::uint32_t)};
  return {{"sobel_tiled",
           reinterpret_cast<const void*>(sobel_tiled),
           grid,
           {tile, tile},
           shared_bytes,
           args}};
}

[[maybe_unused]] const bool kRegistered = register_program({"sobel_tiled", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
