// softmax_rows: the softmax of each row of a matrix, one block per row. The block reads the row
// three times (maximum, sum of the exponentials, result), the second and third time from the
// caches. It reduces with shuffles and barriers.
#include "gpu/kernels/kernel_program.h"

namespace pnsim::gpu {
namespace {

struct SoftmaxArgs {
  const float* in;  // [rows][columns]
  float* out;       // [rows][columns]
  unsigned columns;
};

struct Largest {
  __device__ static float neutral() { return -3.402823466e38f; }
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
  __device__ static float neutral() { return 0; }
  __device__ float operator()(float a, float b) const { return a + b; }
};

template <class Join>
__device__ float joined_in_warp(float value, Join join) {
#pragma unroll
  for (int mask = 16; mask > 0; mask /= 2) {
    value = join(value, __shfl_xor_sync(0xFFFFFFFFu, value, mask));
  }
  return value;
}

// Every thread of the block gets the combined value of all threads.
template <class Join>
__device__ float joined_in_block(float value, Join join) {
  __shared__ float of_warps[32];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  value = joined_in_warp(value, join);
  if (lane == 0) of_warps[warp] = value;
  __syncthreads();
  return joined_in_warp(lane < blockDim.x / 32 ? of_warps[lane] : Join::neutral(), join);
}

}  // namespace
}  // namespace pnsim::gpu

extern "C" __global__ void softmax_rows(pnsim::gpu::SoftmaxArgs args) {
  using namespace pnsim::gpu;
  const unsigned first = blockIdx.x * args.columns, end = first + args.columns;
  float largest = Largest::neutral(), sum = 0;
  for (unsigned i = first + threadIdx.x; i < end; i += blockDim.x) {
    largest = fmaxf(largest, args.in[i]);
  }
  largest = joined_in_block(largest, Largest{});
  for (unsigned i = first + threadIdx.x; i < end; i += blockDim.x)
    sum += expf(args.in[i] - largest);
  sum = joined_in_block(sum, Sum{});
  for (unsigned i = first + threadIdx.x; i < end; i += blockDim.x) {
    args.out[i] = expf(args.in[i] - largest) / sum;
  }
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const SoftmaxArgs args = {reinterpret_cast<const float*>(buffers.source),
                            reinterpret_cast<float*>(buffers.target), unsigned_of(axes, "columns")};
  return {{"softmax_rows",
           reinterpret_cast<const void*>(softmax_rows),
           {unsigned_of(axes, "rows")},
           {unsigned_of(axes, "block")},
           0,
           args}};
}

[[maybe_unused]] const bool kRegistered = register_program({"softmax_rows", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
