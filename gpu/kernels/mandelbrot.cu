// mandelbrot: each pixel iterates z^2 + c until |z| exceeds 2, and is coloured by the number of
// iterations. It is pure arithmetic with data-dependent trip counts: a warp runs as long as its
// slowest lane, and the launch as long as its slowest SM.
#include "gpu/kernels/kernel_program.h"

namespace pnsim::gpu {
namespace {

struct MandelbrotArgs {
  std::uint32_t* steps;  // [height][width]
  unsigned width;
  unsigned height;
  unsigned most;
  float across;  // distance between adjacent pixels
  float down;
};

}  // namespace
}  // namespace pnsim::gpu

// All multiply-adds are explicit, so that every compiler rounds at the same places. Near the border
// the number of iterations depends on the last bit.
extern "C" __global__ void mandelbrot(pnsim::gpu::MandelbrotArgs args) {
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= args.width || row >= args.height) return;
  const float c_x = fmaf(static_cast<float>(column), args.across, -2.0f);
  const float c_y = fmaf(static_cast<float>(row), args.down, -1.25f);
  float x = 0, y = 0;
  unsigned step = 0;
  while (step < args.most && fmaf(x, x, __fmul_rn(y, y)) <= 4.0f) {
    const float next = fmaf(x, x, fmaf(-y, y, c_x));
    y = fmaf(2.0f * x, y, c_y);
    x = next;
    ++step;
  }
  args.steps[row * args.width + column] = step;
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const unsigned width = unsigned_of(axes, "width"), height = unsigned_of(axes, "height");
  const MandelbrotArgs args = {buffers.target,
                               width,
                               height,
                               unsigned_of(axes, "most_steps"),
                               2.5f / static_cast<float>(width),
                               2.5f / static_cast<float>(height)};
  const unsigned tile = unsigned_of(axes, "tile");
  const Extent grid = {(width + tile - 1) / tile, (height + tile - 1) / tile};
  return {{"mandelbrot", reinterpret_cast<const void*>(mandelbrot), grid, {tile, tile}, 0, args}};
}

[[maybe_unused]] const bool kRegistered = register_program({"mandelbrot", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
