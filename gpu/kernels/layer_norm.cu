// layer_norm: each row of a matrix is normalised to mean 0 and variance 1, then scaled and shifted
// by column. One block per row; accesses of four words where the rows are aligned. The row is read
// three times, the second and third time from the caches.
#include "gpu/kernels/kernel_program.h"
#include "gpu/layer_norm_shape.h"

namespace pnsim::gpu {
namespace {

struct LayerNormArgs {
  const float *in, *gain, *shift;  // [rows][columns], [columns], [columns]
  float* out;                      // [rows][columns]
  unsigned columns;
};

__device__ float sum_of_block(float x) {
  __shared__ float of_warps[32];
#pragma unroll
  for (int mask = 16; mask > 0; mask /= 2) x += __shfl_xor_sync(0xffffffffu, x, mask);
  __syncthreads();  // the sums before may still be read
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = x;
  __syncthreads();
  x = threadIdx.x % 32 < blockDim.x / 32 ? of_warps[threadIdx.x % 32] : 0;
#pragma unroll
  for (int mask = 16; mask > 0; mask /= 2) x += __shfl_xor_sync(0xffffffffu, x, mask);
  return x;
}

struct Single {
  float x;
  __device__ float sum() const { return x; }
  __device__ float squares(float mean) const { return (x - mean) * (x - mean); }
  __device__ Single normalised(float mean, float factor, Single gain, Single shift) const {
    return {(x - mean) * factor * gain.x + shift.x};
  }
};
struct alignas(16) Four {
  Single a, b, c, d;
  __device__ float sum() const { return a.x + b.x + c.x + d.x; }
  __device__ float squares(float mean) const {
    return a.squares(mean) + b.squares(mean) + c.squares(mean) + d.squares(mean);
  }
  __device__ Four normalised(float mean, float factor, Four gain, Four shift) const {
    return {
        a.normalised(mean, factor, gain.a, shift.a), b.normalised(mean, factor, gain.b, shift.b),
        c.normalised(mean, factor, gain.c, shift.c), d.normalised(mean, factor, gain.d, shift.d)};
  }
};

template <class Part>
__device__ void normalise_row(const LayerNormArgs& args) {
  const unsigned parts = args.columns / (sizeof(Part) / sizeof(float));
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * args.columns;
  const auto* const in = reinterpret_cast<const Part*>(args.in + first);
  const auto* const gain = reinterpret_cast<const Part*>(args.gain);
  const auto* const shift = reinterpret_cast<const Part*>(args.shift);
  auto* const out = reinterpret_cast<Part*>(args.out + first);
  float sum = 0, squares = 0;
  for (unsigned i = threadIdx.x; i < parts; i += blockDim.x) sum += in[i].sum();
  const float mean = sum_of_block(sum) / static_cast<float>(args.columns);
  for (unsigned i = threadIdx.x; i < parts; i += blockDim.x) squares += in[i].squares(mean);
  const float variance = sum_of_block(squares) / static_cast<float>(args.columns);
  const float factor = rsqrtf(variance + kLeastVariance);
  for (unsigned i = threadIdx.x; i < parts; i += blockDim.x)
    out[i] = in[i].normalised(mean, factor, gain[i], shift[i]);
}

}  // namespace
}  // namespace pnsim::gpu

extern "C" __global__ void layer_norm_by_1(pnsim::gpu::LayerNormArgs args) {
  pnsim::gpu::normalise_row<pnsim::gpu::Single>(args);
}
extern "C" __global__ void layer_norm_by_4(pnsim::gpu::LayerNormArgs args) {
  pnsim::gpu::normalise_row<pnsim::gpu::Four>(args);
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  LayerNormArgs args{};
  const unsigned rows = unsigned_of(axes, "rows");
  args.columns = unsigned_of(axes, "columns");
  if (buffers.source != nullptr) {
    args.in = reinterpret_cast<const float*>(buffers.source);
    args.gain = args.in + std::size_t{rows} * args.columns;
    args.shift = args.gain + args.columns;
  }
  args.out = reinterpret_cast<float*>(buffers.target);
  const bool by_4 = args.columns % 4 == 0;
  return {{by_4 ? "layer_norm_by_4" : "layer_norm_by_1",
           reinterpret_cast<const void*>(by_4 ? layer_norm_by_4 : layer_norm_by_1),
           {rows},
           {unsigned_of(axes, "block")},
           0,
           args}};
}

[[maybe_unused]] const bool kRegistered = register_program({"layer_norm", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
