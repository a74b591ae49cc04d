// histogram: counts keys by their lowest bits with atomic additions. It counts either in shared
// memory, with one histogram per block that is added to the global one at the end, or key by key in
// global memory. With fewer bins, more threads of a warp contend for the same bin.
#include "gpu/block_shape.h"
#include "gpu/kernels/kernel_program.h"

namespace pnsim::gpu {
namespace {

constexpr unsigned kMaxBins = 256;

struct HistogramArgs {
  const std::uint32_t* keys;
  std::uint32_t* counts;  // [bins]
  unsigned n;
  unsigned bins;  // a power of two
};

// Consecutive threads read consecutive keys.
__device__ void count_part(const HistogramArgs& args, std::uint32_t* counts) {
  const unsigned first = blockIdx.x * blockDim.x * kCountedPerThread + threadIdx.x;
#pragma unroll 4
  for (unsigned k = 0; k < kCountedPerThread; ++k) {
    const unsigned i = first + k * blockDim.x;
    if (i < args.n) atomicAdd(counts + args.keys[i] % args.bins, 1u);
  }
}

}  // namespace
}  // namespace pnsim::gpu

extern "C" __global__ void histogram_clear(pnsim::gpu::HistogramArgs args) {
  args.counts[threadIdx.x] = 0;
}

extern "C" __global__ void histogram_shared(pnsim::gpu::HistogramArgs args) {
  __shared__ std::uint32_t own[pnsim::gpu::kMaxBins];
  for (unsigned bin = threadIdx.x; bin < args.bins; bin += blockDim.x) own[bin] = 0;
  __syncthreads();
  pnsim::gpu::count_part(args, own);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < args.bins; bin += blockDim.x) {
    atomicAdd(args.counts + bin, own[bin]);
  }
}

extern "C" __global__ void histogram_global(pnsim::gpu::HistogramArgs args) {
  pnsim::gpu::count_part(args, args.counts);
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const HistogramArgs args = {buffers.source, buffers.target, unsigned_of(axes, "n"),
                              unsigned_of(axes, "bins")};
  const unsigned block = unsigned_of(axes, "block"), part = block * kCountedPerThread;
  const bool is_shared = value_of(axes, "shared") == 1;
  return {{"histogram_clear",
           reinterpret_cast<const void*>(histogram_clear),
           {1},
           {args.bins},
           0,
           args},
          {is_shared ? "histogram_shared" : "histogram_global",
           reinterpret_cast<const void*>(is_shared ? histogram_shared : histogram_global),
           {(args.n + part - 1) / part},
           {block},
           0,
           args}};
}

[[maybe_unused]] const bool kRegistered = register_program({"histogram", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
