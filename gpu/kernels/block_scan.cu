// block_scan: inclusive prefix sums within the part of each block, one word per thread. It uses
// either the scan of Hillis and Steele in shared memory, with log2(threads) steps and a barrier
// between them, or shuffles within warps and one scan of the sums of the warps.
#include "gpu/kernels/kernel_program.h"

namespace pnsim::gpu {
namespace {

struct ScanArgs {
  const std::uint32_t* in;
  std::uint32_t* out;
  unsigned n;
};

// Inclusive prefix sum over the lanes of a warp.
__device__ std::uint32_t scan_of_warp(std::uint32_t value) {
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const std::uint32_t before = __shfl_up_sync(0xFFFFFFFFu, value, distance);
    if (threadIdx.x % 32 >= distance) value += before;
  }
  return value;
}

}  // namespace
}  // namespace pnsim::gpu

extern "C" __global__ void block_scan_shared(pnsim::gpu::ScanArgs args) {
  // [2][threads]: each step reads one row and writes the other
  extern __shared__ std::uint32_t rows[];
  const unsigned thread = threadIdx.x, i = blockIdx.x * blockDim.x + thread;
  std::uint32_t* from = rows;
  std::uint32_t* to = rows + blockDim.x;
  from[thread] = i < args.n ? args.in[i] : 0;
  __syncthreads();
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    to[thread] = from[thread] + (thread >= distance ? from[thread - distance] : 0);
    __syncthreads();
    std::uint32_t* const old = from;
    from = to;
    to = old;
  }
  if (i < args.n) args.out[i] = from[thread];
}

extern "C" __global__ void block_scan_shuffle(pnsim::gpu::ScanArgs args) {
  __shared__ std::uint32_t sums[32];  // sums of the warps, then prefix sums over them
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t scanned = pnsim::gpu::scan_of_warp(i < args.n ? args.in[i] : 0);
  if (lane == 31) sums[warp] = scanned;
  __syncthreads();
  if (warp == 0) sums[lane] = pnsim::gpu::scan_of_warp(lane < blockDim.x / 32 ? sums[lane] : 0);
  __syncthreads();
  if (i < args.n) args.out[i] = scanned + (warp > 0 ? sums[warp - 1] : 0);
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const ScanArgs args = {buffers.source, buffers.target, unsigned_of(axes, "n")};
  const unsigned block = unsigned_of(axes, "block");
  const Extent grid = {(args.n + block - 1) / block};
  if (value_of(axes, "shuffle") == 1) {
    return {{"block_scan_shuffle",
             reinterpret_cast<const void*>(block_scan_shuffle),
             grid,
             {block},
             0,
             args}};
  }
  const unsigned shared_bytes = 2 * block * unsigned{sizeof(std::uint32_t)};
  return {{"block_scan_shared",
           reinterpret_cast<const void*>(block_scan_shared),
           grid,
           {block},
           shared_bytes,
           args}};
}

[[maybe_unused]] const bool kRegistered = register_program({"block_scan", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
