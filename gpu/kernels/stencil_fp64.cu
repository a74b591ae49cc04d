// stencil_fp64: one diffusion step on a grid of doubles, one thread per cell. Cells of the border
// stay as they are.
#include "gpu/double_shapes.h"
#include "gpu/kernels/kernel_program.h"

namespace pnsim::gpu {
namespace {

struct DoubleStencilArgs {
  const double* in;  // [height][width]
  double* out;
  unsigned width, height;
};

}  // namespace
}  // namespace pnsim::gpu

extern "C" __global__ void stencil_fp64(pnsim::gpu::DoubleStencilArgs args) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= args.width || y >= args.height) return;
  const std::size_t i = static_cast<std::size_t>(y) * args.width + x;
  const double own = args.in[i];
  double next = own;
  if (x > 0 && y > 0 && x + 1 < args.width && y + 1 < args.height) {
    const double around =
        args.in[i - 1] + args.in[i + 1] + args.in[i - args.width] + args.in[i + args.width];
    next = own + pnsim::gpu::kDiffusion * (around - 4 * own);
  }
  args.out[i] = next;
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const DoubleStencilArgs args = {reinterpret_cast<const double*>(buffers.source),
                                  reinterpret_cast<double*>(buffers.target),
                                  unsigned_of(axes, "width"), unsigned_of(axes, "height")};
  const unsigned tile = unsigned_of(axes, "tile");
  return {{"stencil_fp64",
           reinterpret_cast<const void*>(stencil_fp64),
           {(args.width + tile - 1) / tile, (args.height + tile - 1) / tile},
           {tile, tile},
           0,
           args}};
}

[[maybe_unused]] const bool kRegistered = register_program({"stencil_fp64", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
