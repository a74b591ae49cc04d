// norm_base: each thread subtracts the mean from one vector. Adjacent threads are a whole vector
// apart, so long vectors make every access uncoalesced.
#include "gpu/kernels/norm_common.cuh"

namespace pnsim::gpu {
namespace {

// `in` and `out` do not overlap, so the compiler may keep the values read for the sum.
template <unsigned kD>
__device__ void normalize(float* __restrict__ out, const float* __restrict__ in, unsigned vectors,
                          unsigned run_time_d) {
  const unsigned d = kD == 0 ? run_time_d : kD;
  const unsigned threads = blockDim.x * gridDim.x;
  for (unsigned v = blockIdx.x * blockDim.x + threadIdx.x; v < vectors; v += threads) {
    float sum = 0;
    for (unsigned i = 0; i < d; ++i) sum += in[v * d + i];
    const float mean = sum / static_cast<float>(d);
    for (unsigned i = 0; i < d; ++i) out[v * d + i] = in[v * d + i] - mean;
  }
}

}  // namespace
}  // namespace pnsim::gpu

#define PNSIM_NORM_BASE(D)                                               \
  extern "C" __global__ void norm_base_d##D(pnsim::gpu::NormArgs args) { \
    pnsim::gpu::normalize<D>(args.out, args.in, args.vectors, args.d);   \
  }
PNSIM_NORM_BASE(0)
PNSIM_NORM_BASE(4)
PNSIM_NORM_BASE(8)
PNSIM_NORM_BASE(32)
#undef PNSIM_NORM_BASE

namespace pnsim::gpu {
namespace {

constexpr NormKernel kKernels[] = {{0, 1, "norm_base_d0", norm_base_d0},
                                   {4, 1, "norm_base_d4", norm_base_d4},
                                   {8, 1, "norm_base_d8", norm_base_d8},
                                   {32, 1, "norm_base_d32", norm_base_d32}};

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  return norm_launches(axes, buffers, norm_kernel(axes, 1, kKernels));
}

[[maybe_unused]] const bool kRegistered = register_program({"norm_base", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
