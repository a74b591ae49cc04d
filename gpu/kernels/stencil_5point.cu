// stencil_5point: one diffusion step on a grid, one thread per cell. Each thread reads its four
// neighbours from global memory; repeated reads by adjacent threads hit in the caches. Cells on the
// border keep their value.
#include "gpu/kernels/kernel_program.h"
#include "gpu/stencil_shape.h"

namespace pnsim::gpu {
namespace {

struct StencilArgs {
  const float* in;  // [height][width]
  float* out;       // [height][width]
  unsigned width;
  unsigned height;
};

}  // namespace
}  // namespace pnsim::gpu

extern "C" __global__ void stencil_5point(pnsim::gpu::StencilArgs args) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= args.width || y >= args.height) return;
  const bool is_inside = x > 0 && x + 1 < args.width && y > 0 && y + 1 < args.height;
  const unsigned i = y * args.width + x;
  const float* const cell = args.in + i;
  float value = *cell;
  if (is_inside) {
    const float around = cell[-1] + cell[1] + *(cell - args.width) + cell[args.width];
    value += pnsim::gpu::kDiffusion * (around - 4.0f * value);
  }
  args.out[i] = value;
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const StencilArgs args = {reinterpret_cast<const float*>(buffers.source),
                            reinterpret_cast<float*>(buffers.target), unsigned_of(axes, "width"),
                            unsigned_of(axes, "height")};
  const unsigned tile = unsigned_of(axes, "tile");
  const Extent grid = {(args.width + tile - 1) / tile, (args.height + tile - 1) / tile};
  return {{"stencil_5point",
           reinterpret_cast<const void*>(stencil_5point),
           grid,
           {tile, tile},
           0,
           args}};
}

[[maybe_unused]] const bool kRegistered =
    register_program({"stencil_5point", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
