// block_reduction: each block sums its part of the numbers. Each thread first sums eight words,
// then the block sums the results of its threads. It uses either a tree in shared memory, which
// halves the active threads at every barrier, or shuffles within warps and one barrier for the sums
// of the warps.
#include "gpu/block_shape.h"
#include "gpu/kernels/kernel_program.h"

namespace pnsim::gpu {
namespace {

struct ReductionArgs {
  const float* in;
  float* sums;  // one per block
  unsigned n;
};

// Consecutive threads read consecutive words; words beyond the end count as 0.
__device__ float sum_of_thread(const ReductionArgs& args) {
  const unsigned first = blockIdx.x * blockDim.x * kSummandsPerThread + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (unsigned k = 0; k < kSummandsPerThread; ++k) {
    const unsigned i = first + k * blockDim.x;
    if (i < args.n) sum += args.in[i];
  }
  return sum;
}

__device__ float sum_of_warp(float sum) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xFFFFFFFFu, sum, distance);
  }
  return sum;
}

}  // namespace
}  // namespace pnsim::gpu

extern "C" __global__ void block_reduction_tree(pnsim::gpu::ReductionArgs args) {
  extern __shared__ float sums[];  // [threads]
  const unsigned thread = threadIdx.x;
  sums[thread] = pnsim::gpu::sum_of_thread(args);
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) sums[thread] += sums[thread + half];
  }
  if (thread == 0) args.sums[blockIdx.x] = sums[0];
}

extern "C" __global__ void block_reduction_shuffle(pnsim::gpu::ReductionArgs args) {
  __shared__ float sums[32];  // one per warp
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const float sum = pnsim::gpu::sum_of_warp(pnsim::gpu::sum_of_thread(args));
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  if (warp > 0) return;
  const float all = pnsim::gpu::sum_of_warp(lane < blockDim.x / 32 ? sums[lane] : 0);
  if (lane == 0) args.sums[blockIdx.x] = all;
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const ReductionArgs args = {reinterpret_cast<const float*>(buffers.source),
                              reinterpret_cast<float*>(buffers.target), unsigned_of(axes, "n")};
  const unsigned block = unsigned_of(axes, "block"), part = block * kSummandsPerThread;
  const Extent grid = {(args.n + part - 1) / part};
  if (value_of(axes, "shuffle") == 1) {
    return {{"block_reduction_shuffle",
             reinterpret_cast<const void*>(block_reduction_shuffle),
             grid,
             {block},
             0,
             args}};
  }
  const unsigned shared_bytes = block * unsigned{sizeof(float)};
  return {{"block_reduction_tree",
           reinterpret_cast<const void*>(block_reduction_tree),
           grid,
           {block},
           shared_bytes,
           args}};
}

[[maybe_unused]] const bool kRegistered =
    register_program({"block_reduction", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
