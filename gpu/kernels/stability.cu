// stability: does a damped linear oscillator approach rest? Each thread takes the centre of its
// pixel (-1 ... 1 in both directions) as position x and velocity y. It integrates x' = y, y' = -x -
// 2 c y by explicit Euler, and writes 1 if the distance from rest grew, else 0. Nearly all of the
// work is arithmetic.
#include "gpu/kernels/kernel_program.h"
#include "gpu/stability_shape.h"

namespace pnsim::gpu {
namespace {

struct StabilityArgs {
  float* colours;  // [height][width]
  unsigned width;
  unsigned height;
  unsigned steps;
  float time_step;
  float damping;
};

__device__ float pixel_centre(unsigned i, unsigned size) {
  return (2.0f * static_cast<float>(i) + 1.0f - static_cast<float>(size)) /
         static_cast<float>(size);
}

}  // namespace
}  // namespace pnsim::gpu

extern "C" __global__ void stability(pnsim::gpu::StabilityArgs args) {
  using pnsim::gpu::pixel_centre;
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= args.width || row >= args.height) return;
  float x = pixel_centre(column, args.width);
  float y = pixel_centre(row, args.height);
  const float first = x * x + y * y;
  for (unsigned step = 0; step < args.steps; ++step) {
    const float velocity = y;
    const float acceleration = -x - 2.0f * args.damping * y;
    x += args.time_step * velocity;
    y += args.time_step * acceleration;
  }
  args.colours[row * args.width + column] = x * x + y * y > first ? 1.0f : 0.0f;
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const StabilityArgs args = {reinterpret_cast<float*>(buffers.target),
                              unsigned_of(axes, "width"),
                              unsigned_of(axes, "height"),
                              euler_steps(axes),
                              static_cast<float>(value_of(axes, "time_step_milli")) / 1000.0f,
                              static_cast<float>(value_of(axes, "damping_milli")) / 1000.0f};
  const unsigned tile = unsigned_of(axes, "tile");
  const Extent grid = {(args.width + tile - 1) / tile, (args.height + tile - 1) / tile};
  return {{"stability", reinterpret_cast<const void*>(stability), grid, {tile, tile}, 0, args}};
}

[[maybe_unused]] const bool kRegistered = register_program({"stability", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
