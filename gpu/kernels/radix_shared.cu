// radix_shared: a pass of a 1-bit LSD radix sort that stages each block's part in shared memory.
//
// A node is a thread with 8 consecutive keys of its block's part. A pass is three launches:
//   count    the block loads its part with coalesced reads, each node counts its zeros in shared
//            memory, the block sums the counts
//   scan     one block computes prefix sums over the counts of all blocks
//   scatter  the block loads its part again and computes prefix sums over its nodes in shared
//            memory; each node writes its keys directly to their final positions (uncoalesced)
#include "gpu/kernels/radix_common.cuh"

namespace pnsim::gpu {
namespace {

// Position of key i of the part in shared memory. One padding word after every 32 spreads the
// nodes' parts, 8 words apart, over all 32 banks. Without it every access would take 8 wavefronts.
__host__ __device__ constexpr unsigned padded(unsigned i) { return i + i / 32; }

// Shared memory of the block: the padded part, then the steps of its scan.
__host__ __device__ constexpr unsigned part_words(unsigned block) {
  return padded(block * kKeysPerThread);
}

// Loads the block's part; keys past the end are skipped. Ends with a barrier.
__device__ void stage_part(const PassArgs& args, unsigned* part) {
  const unsigned first = blockIdx.x * blockDim.x * kKeysPerThread;
#pragma unroll
  for (unsigned k = 0; k < kKeysPerThread; ++k) {
    const unsigned i = k * blockDim.x + threadIdx.x;
    if (first + i < args.n) part[padded(i)] = args.source[first + i];
  }
  __syncthreads();
}

// Number of keys of the calling node: 8, or fewer at the end of the input.
__device__ unsigned node_keys(const PassArgs& args, unsigned first) {
  return first < args.n ? min(args.n - first, kKeysPerThread) : 0;
}

__device__ unsigned count_zeros(const PassArgs& args, const unsigned* part, unsigned keys) {
  unsigned zeros = 0;
#pragma unroll
  for (unsigned k = 0; k < kKeysPerThread; ++k) {
    if (k < keys && is_zero(part[padded(threadIdx.x * kKeysPerThread + k)], args.bit)) ++zeros;
  }
  return zeros;
}

// Sum over the block's threads, a power of two; thread 0 gets the result.
__device__ unsigned add_up_block(unsigned* steps, unsigned value) {
  steps[threadIdx.x] = value;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) steps[threadIdx.x] += steps[threadIdx.x + half];
  }
  return steps[threadIdx.x];
}

__device__ unsigned first_key_of_node() {
  return (blockIdx.x * blockDim.x + threadIdx.x) * kKeysPerThread;
}

}  // namespace
}  // namespace pnsim::gpu

using pnsim::gpu::PassArgs;

// scratch[b]: zeros of block b; after the scan, zeros before block b. scratch[blocks]: all zeros.
// extern "C" gives the kernel its plain name in a profile.
extern "C" __global__ void __launch_bounds__(pnsim::gpu::kMaxBlock)
    radix_shared_count(PassArgs args) {
  using namespace pnsim::gpu;
  extern __shared__ unsigned shared[];
  stage_part(args, shared);
  const unsigned zeros = count_zeros(args, shared, node_keys(args, first_key_of_node()));
  const unsigned block_zeros = add_up_block(shared + part_words(blockDim.x), zeros);
  if (threadIdx.x == 0) args.scratch[blockIdx.x] = block_zeros;
}

extern "C" __global__ void __launch_bounds__(pnsim::gpu::kScanThreads)
    radix_shared_scan(PassArgs args) {
  using namespace pnsim::gpu;
  __shared__ unsigned steps[2 * kScanThreads];
  scan_counts(args.scratch, args.blocks, steps);
}

extern "C" __global__ void __launch_bounds__(pnsim::gpu::kMaxBlock)
    radix_shared_scatter(PassArgs args) {
  using namespace pnsim::gpu;
  extern __shared__ unsigned shared[];
  stage_part(args, shared);
  const unsigned first = first_key_of_node();
  const unsigned keys = node_keys(args, first);
  const unsigned zeros = count_zeros(args, shared, keys);
  const unsigned before = scan_block(shared + part_words(blockDim.x), zeros).before;
  unsigned zero_at = args.scratch[blockIdx.x] + before;
  unsigned one_at = args.scratch[args.blocks] + (first - zero_at);  // all zeros, then ones before
#pragma unroll
  for (unsigned k = 0; k < kKeysPerThread; ++k) {
    if (k >= keys) break;
    const unsigned key = shared[padded(threadIdx.x * kKeysPerThread + k)];
    args.target[is_zero(key, args.bit) ? zero_at++ : one_at++] = key;
  }
}

namespace pnsim::gpu {
namespace {

std::size_t scratch_words(const AxisValues& axes) { return radix_blocks(axes) + 1; }

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const PassArgs args = radix_args(axes, buffers);
  const Extent blocks = {args.blocks}, threads = {args.block};
  const unsigned shared_bytes = (part_words(args.block) + 2 * args.block) * sizeof(unsigned);
  return {
      {"radix_shared_count", reinterpret_cast<const void*>(radix_shared_count), blocks, threads,
       shared_bytes, args},
      {"radix_shared_scan",
       reinterpret_cast<const void*>(radix_shared_scan),
       {1},
       {kScanThreads},
       0,
       args},
      {"radix_shared_scatter", reinterpret_cast<const void*>(radix_shared_scatter), blocks, threads,
       shared_bytes, args},
  };
}

[[maybe_unused]] const bool kRegistered =
    register_program({"radix_shared", scratch_words, launches});

}  // namespace
}  // namespace pnsim::gpu
