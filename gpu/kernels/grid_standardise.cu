// grid_standardise: n numbers to mean 0 and variance 1 in one cooperative launch. All blocks meet
// twice in a barrier of the whole grid: when the sums, and when the squares of their parts are
// stored.
#include <cooperative_groups.h>

#include "gpu/kernels/kernel_program.h"
#include "gpu/layer_norm_shape.h"

namespace pnsim::gpu {
namespace {

struct StandardiseArgs {
  const float* in;
  float* out;
  float* parts;  // [2][blocks]
  unsigned n;
};

// For thread 0 of the block.
__device__ float part_of_block(float x) {
  __shared__ float of_warps[32];
#pragma unroll
  for (int mask = 16; mask > 0; mask /= 2) x += __shfl_xor_sync(0xffffffffu, x, mask);
  __syncthreads();
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = x;
  __syncthreads();
  x = threadIdx.x < blockDim.x / 32 ? of_warps[threadIdx.x] : 0;
#pragma unroll
  for (int mask = 16; mask > 0; mask /= 2) x += __shfl_xor_sync(0xffffffffu, x, mask);
  return x;
}

// The mean over all blocks, for every thread. Other blocks wrote the parts, so they are read past
// L1.
__device__ float mean_of_parts(const float* parts, unsigned n) {
  __shared__ float mean;
  float sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) sum += __ldcg(parts + i);
  sum = part_of_block(sum);
  if (threadIdx.x == 0) mean = sum / static_cast<float>(n);
  __syncthreads();
  return mean;
}

}  // namespace
}  // namespace pnsim::gpu

extern "C" __global__ void grid_standardise(pnsim::gpu::StandardiseArgs args) {
  using namespace pnsim::gpu;
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  float sum = 0, squares = 0;
  for (unsigned i = first; i < args.n; i += step) sum += args.in[i];
  sum = part_of_block(sum);
  if (threadIdx.x == 0) args.parts[blockIdx.x] = sum;
  grid.sync();
  const float mean = mean_of_parts(args.parts, args.n);
  for (unsigned i = first; i < args.n; i += step)
    squares += (args.in[i] - mean) * (args.in[i] - mean);
  squares = part_of_block(squares);
  if (threadIdx.x == 0) args.parts[gridDim.x + blockIdx.x] = squares;
  grid.sync();
  const float factor = rsqrtf(mean_of_parts(args.parts + gridDim.x, args.n) + kLeastVariance);
  for (unsigned i = first; i < args.n; i += step) args.out[i] = (args.in[i] - mean) * factor;
}

namespace pnsim::gpu {
namespace {

std::size_t scratch(const AxisValues& axes) { return 2 * std::size_t{unsigned_of(axes, "blocks")}; }

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const StandardiseArgs args = {reinterpret_cast<const float*>(buffers.source),
                                reinterpret_cast<float*>(buffers.target),
                                reinterpret_cast<float*>(buffers.scratch), unsigned_of(axes, "n")};
  return {{"grid_standardise",
           reinterpret_cast<const void*>(grid_standardise),
           {unsigned_of(axes, "blocks")},
           {unsigned_of(axes, "block")},
           0,
           args,
           true}};
}

[[maybe_unused]] const bool kRegistered = register_program({"grid_standardise", scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
