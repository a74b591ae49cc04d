// norm_group: a group of 1 to 32 consecutive threads subtracts the mean from a vector. The threads
// of a group access consecutive elements: a group of 8 fills whole sectors, a group of 32 whole
// lines. A group may be larger than its vector; missing elements count as 0.
#include "gpu/kernels/norm_common.cuh"

namespace pnsim::gpu {
namespace {

// Sum over the calling thread's group; every thread of the group gets the result.
template <unsigned kGroup>
__device__ float group_sum(float value) {
  constexpr unsigned kLanes = kGroup == 32 ? 0xFFFFFFFFu : (1u << kGroup % 32) - 1;
  const unsigned group_lanes = kLanes << (threadIdx.x % 32 / kGroup * kGroup);
#pragma unroll
  for (unsigned offset = kGroup / 2; offset > 0; offset /= 2) {
    value += __shfl_xor_sync(group_lanes, value, static_cast<int>(offset));
  }
  return value;
}

template <unsigned kD, unsigned kGroup>
__device__ void normalize(float* __restrict__ out, const float* __restrict__ in, unsigned vectors,
                          unsigned run_time_d) {
  const unsigned d = kD == 0 ? run_time_d : kD;
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned groups = blockDim.x * gridDim.x / kGroup;
  const unsigned first = thread % kGroup;
  for (unsigned v = thread / kGroup; v < vectors; v += groups) {
    float sum = 0;
    for (unsigned i = first; i < d; i += kGroup) sum += in[v * d + i];
    const float mean = group_sum<kGroup>(sum) / static_cast<float>(d);
    for (unsigned i = first; i < d; i += kGroup) out[v * d + i] = in[v * d + i] - mean;
  }
}

}  // namespace
}  // namespace pnsim::gpu

// One kernel per length (0: any) and group size.
#define PNSIM_FOR_GROUPS(DO, D) DO(D, 1) DO(D, 2) DO(D, 4) DO(D, 8) DO(D, 16) DO(D, 32)
#define PNSIM_FOR_ALL(DO) \
  PNSIM_FOR_GROUPS(DO, 0) PNSIM_FOR_GROUPS(DO, 4) PNSIM_FOR_GROUPS(DO, 8) PNSIM_FOR_GROUPS(DO, 32)

#define PNSIM_KERNEL(D, G)                                                       \
  extern "C" __global__ void norm_group_d##D##_g##G(pnsim::gpu::NormArgs args) { \
    pnsim::gpu::normalize<D, G>(args.out, args.in, args.vectors, args.d);        \
  }
PNSIM_FOR_ALL(PNSIM_KERNEL)

namespace pnsim::gpu {
namespace {

#define PNSIM_ROW(D, G) {D, G, "norm_group_d" #D "_g" #G, norm_group_d##D##_g##G},
constexpr NormKernel kKernels[] = {PNSIM_FOR_ALL(PNSIM_ROW)};

#undef PNSIM_ROW
#undef PNSIM_KERNEL
#undef PNSIM_FOR_ALL
#undef PNSIM_FOR_GROUPS

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const unsigned group = unsigned_of(axes, "group");
  return norm_launches(axes, buffers, norm_kernel(axes, group, kKernels));
}

[[maybe_unused]] const bool kRegistered = register_program({"norm_group", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
