// radix_coalesced: a pass of a 1-bit LSD radix sort in which each block orders its part before it
// writes it.
//
// A pass is three launches:
//   count    the block counts the zeros of its part, one row of 32 keys per warp vote
//   scan     one block computes prefix sums over the counts of all blocks
//   scatter  the block partitions its part stably by the bit in shared memory, then writes it as
//            two runs, the zeros and the ones: consecutive threads write consecutive words
// Thread t takes the keys t, block + t, 2 * block + t ... of its block's part, so that reads are
// coalesced as well. A row is the 32 keys that a warp takes at once; rows are numbered in key
// order. Keys past the end count as ones: they end up behind all others and are not written.
#include "gpu/kernels/radix_common.cuh"

namespace pnsim::gpu {
namespace {

constexpr unsigned kWarp = 32;
constexpr unsigned kAllLanes = 0xFFFFFFFFu;
constexpr unsigned kMaxRowsPerLane = kMaxBlock / kWarp * kKeysPerThread / kWarp;

__host__ __device__ constexpr unsigned rows_of(unsigned block) {
  return block / kWarp * kKeysPerThread;
}

__device__ unsigned lane() { return threadIdx.x % kWarp; }
__device__ unsigned warp() { return threadIdx.x / kWarp; }

// The thread's k-th key; all bits set past the end.
__device__ unsigned load_key(const PassArgs& args, unsigned part_first, unsigned k) {
  const unsigned i = part_first + k * blockDim.x + threadIdx.x;
  return i < args.n ? args.source[i] : 0xFFFFFFFFu;
}

// Inclusive prefix sum over the lanes of a warp.
__device__ unsigned scan_warp(unsigned value) {
  for (unsigned offset = 1; offset < kWarp; offset *= 2) {
    const unsigned other = __shfl_up_sync(kAllLanes, value, offset);
    if (lane() >= offset) value += other;
  }
  return value;
}

// Replaces rows[r] by the sum of the rows before r; rows[number of rows] becomes the total. One
// warp executes it; each lane takes at most kMaxRowsPerLane consecutive rows.
__device__ void scan_rows(unsigned* rows, unsigned size) {
  const unsigned share = ceil_div(size, kWarp);
  unsigned counts[kMaxRowsPerLane];
  unsigned sum = 0;
#pragma unroll
  for (unsigned j = 0; j < kMaxRowsPerLane; ++j) {
    const unsigned row = lane() * share + j;
    counts[j] = j < share && row < size ? rows[row] : 0;
    sum += counts[j];
  }
  const unsigned up_to = scan_warp(sum);
  unsigned before = up_to - sum;
#pragma unroll
  for (unsigned j = 0; j < kMaxRowsPerLane; ++j) {
    const unsigned row = lane() * share + j;
    if (j < share && row < size) rows[row] = before;
    before += counts[j];
  }
  if (lane() == kWarp - 1) rows[size] = up_to;
}

}  // namespace
}  // namespace pnsim::gpu

using pnsim::gpu::PassArgs;

// scratch[b]: zeros of block b; after the scan, zeros before block b. scratch[blocks]: all zeros.
// extern "C" gives the kernel its plain name in a profile.
extern "C" __global__ void __launch_bounds__(pnsim::gpu::kMaxBlock)
    radix_coalesced_count(PassArgs args) {
  using namespace pnsim::gpu;
  __shared__ unsigned warp_zeros[kMaxBlock / kWarp];
  const unsigned part_first = blockIdx.x * blockDim.x * kKeysPerThread;
  unsigned zeros = 0;
#pragma unroll
  for (unsigned k = 0; k < kKeysPerThread; ++k) {
    zeros += __popc(__ballot_sync(kAllLanes, is_zero(load_key(args, part_first, k), args.bit)));
  }
  if (lane() == 0) warp_zeros[warp()] = zeros;
  __syncthreads();
  if (warp() != 0) return;
  const unsigned sum = scan_warp(lane() < blockDim.x / kWarp ? warp_zeros[lane()] : 0);
  if (lane() == kWarp - 1) args.scratch[blockIdx.x] = sum;
}

extern "C" __global__ void __launch_bounds__(pnsim::gpu::kScanThreads)
    radix_coalesced_scan(PassArgs args) {
  using namespace pnsim::gpu;
  __shared__ unsigned steps[2 * kScanThreads];
  scan_counts(args.scratch, args.blocks, steps);
}

extern "C" __global__ void __launch_bounds__(pnsim::gpu::kMaxBlock)
    radix_coalesced_scatter(PassArgs args) {
  using namespace pnsim::gpu;
  extern __shared__ unsigned ordered[];  // [8 * block]: the part in new order
  unsigned* const rows = ordered + blockDim.x * kKeysPerThread;  // [rows + 1]: zeros before a row
  const unsigned warps = blockDim.x / kWarp;
  const unsigned part_first = blockIdx.x * blockDim.x * kKeysPerThread;

  unsigned keys[kKeysPerThread];
  unsigned zeros_before[kKeysPerThread];  // within the row
#pragma unroll
  for (unsigned k = 0; k < kKeysPerThread; ++k) keys[k] = load_key(args, part_first, k);
#pragma unroll
  for (unsigned k = 0; k < kKeysPerThread; ++k) {
    const unsigned zeros = __ballot_sync(kAllLanes, is_zero(keys[k], args.bit));
    zeros_before[k] = __popc(zeros & ((1u << lane()) - 1));
    if (lane() == 0) rows[k * warps + warp()] = __popc(zeros);
  }
  __syncthreads();
  if (warp() == 0) scan_rows(rows, rows_of(blockDim.x));
  __syncthreads();

  const unsigned part_zeros = rows[rows_of(blockDim.x)];
#pragma unroll
  for (unsigned k = 0; k < kKeysPerThread; ++k) {
    const unsigned zeros = rows[k * warps + warp()] + zeros_before[k];
    const unsigned ones = k * blockDim.x + threadIdx.x - zeros;
    ordered[is_zero(keys[k], args.bit) ? zeros : part_zeros + ones] = keys[k];
  }
  __syncthreads();

  const unsigned zero_first = args.scratch[blockIdx.x];
  const unsigned one_first = args.scratch[args.blocks] + (part_first - zero_first);
#pragma unroll
  for (unsigned k = 0; k < kKeysPerThread; ++k) {
    const unsigned i = k * blockDim.x + threadIdx.x;
    if (part_first + i >= args.n) break;
    args.target[i < part_zeros ? zero_first + i : one_first + (i - part_zeros)] = ordered[i];
  }
}

namespace pnsim::gpu {
namespace {

std::size_t scratch_words(const AxisValues& axes) { return radix_blocks(axes) + 1; }

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const PassArgs args = radix_args(axes, buffers);
  const Extent blocks = {args.blocks}, threads = {args.block};
  const unsigned shared_bytes =
      (args.block * kKeysPerThread + rows_of(args.block) + 1) * sizeof(unsigned);
  return {
      {"radix_coalesced_count", reinterpret_cast<const void*>(radix_coalesced_count), blocks,
       threads, 0, args},
      {"radix_coalesced_scan",
       reinterpret_cast<const void*>(radix_coalesced_scan),
       {1},
       {kScanThreads},
       0,
       args},
      {"radix_coalesced_scatter", reinterpret_cast<const void*>(radix_coalesced_scatter), blocks,
       threads, shared_bytes, args},
  };
}

[[maybe_unused]] const bool kRegistered =
    register_program({"radix_coalesced", scratch_words, launches});

}  // namespace
}  // namespace pnsim::gpu
