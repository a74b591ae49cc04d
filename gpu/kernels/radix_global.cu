// radix_global: a pass of a 1-bit LSD radix sort in which everything is in global memory: the keys,
// the counts of the nodes, and the intermediate sums of every prefix sum.
//
// A node is a thread with 8 consecutive keys. A pass is three launches:
//   count    each node counts the zeros of its part; prefix sums over the nodes of a block
//   scan     one block computes prefix sums over the counts of all blocks
//   scatter  each node reads its part again and writes its keys, in order, to their final positions
// Adjacent threads access words that are 32 bytes apart, so no access is coalesced.
#include "gpu/kernels/radix_common.cuh"

namespace pnsim::gpu {
namespace {

// Scratch memory of a pass. Every thread of the count launch is a node, also past the last key.
struct Scratch {
  unsigned* block_zeros;  // [blocks + 1]: zeros of a block; after the scan, zeros before it; total
  unsigned* node_before;  // [nodes]: zeros in its block before the node
  unsigned* steps;        // [2 * max(nodes, kScanThreads)]: two words per thread of a scan

  __device__ explicit Scratch(const PassArgs& args)
      : block_zeros(args.scratch),
        node_before(block_zeros + args.blocks + 1),
        steps(node_before + args.blocks * args.block) {}
};

__device__ unsigned this_node() { return blockIdx.x * blockDim.x + threadIdx.x; }

}  // namespace
}  // namespace pnsim::gpu

using pnsim::gpu::PassArgs;

// extern "C" gives the kernel its plain name in a profile.
extern "C" __global__ void __launch_bounds__(pnsim::gpu::kMaxBlock)
    radix_global_count(PassArgs args) {
  using namespace pnsim::gpu;
  const Scratch scratch(args);
  const unsigned node = this_node();
  unsigned zeros = 0;
#pragma unroll
  for (unsigned k = 0; k < kKeysPerThread; ++k) {
    const unsigned i = node * kKeysPerThread + k;
    if (i < args.n && is_zero(args.source[i], args.bit)) ++zeros;
  }
  const BlockSums sums = scan_block(scratch.steps + 2 * blockIdx.x * blockDim.x, zeros);
  scratch.node_before[node] = sums.before;
  if (threadIdx.x == 0) scratch.block_zeros[blockIdx.x] = sums.total;
}

extern "C" __global__ void __launch_bounds__(pnsim::gpu::kScanThreads)
    radix_global_scan(PassArgs args) {
  using namespace pnsim::gpu;
  const Scratch scratch(args);
  scan_counts(scratch.block_zeros, args.blocks, scratch.steps);
}

extern "C" __global__ void __launch_bounds__(pnsim::gpu::kMaxBlock)
    radix_global_scatter(PassArgs args) {
  using namespace pnsim::gpu;
  const Scratch scratch(args);
  const unsigned first = this_node() * kKeysPerThread;
  // All loads come before the first store, because the compiler cannot know that they do not
  // overlap.
  unsigned keys[kKeysPerThread];
#pragma unroll
  for (unsigned k = 0; k < kKeysPerThread; ++k) {
    keys[k] = first + k < args.n ? args.source[first + k] : 0;
  }
  unsigned zero_at = scratch.block_zeros[blockIdx.x] + scratch.node_before[this_node()];
  // All zeros, then the ones before.
  unsigned one_at = scratch.block_zeros[args.blocks] + (first - zero_at);
#pragma unroll
  for (unsigned k = 0; k < kKeysPerThread; ++k) {
    if (first + k >= args.n) break;
    args.target[is_zero(keys[k], args.bit) ? zero_at++ : one_at++] = keys[k];
  }
}

namespace pnsim::gpu {
namespace {

std::size_t scratch_words(const AxisValues& axes) {
  const std::size_t blocks = radix_blocks(axes);
  const std::size_t nodes = blocks * unsigned_of(axes, "block");
  return blocks + 1 + nodes + 2 * (nodes > kScanThreads ? nodes : kScanThreads);
}

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const PassArgs args = radix_args(axes, buffers);
  const Extent blocks = {args.blocks}, threads = {args.block};
  return {
      {"radix_global_count", reinterpret_cast<const void*>(radix_global_count), blocks, threads, 0,
       args},
      {"radix_global_scan",
       reinterpret_cast<const void*>(radix_global_scan),
       {1},
       {kScanThreads},
       0,
       args},
      {"radix_global_scatter", reinterpret_cast<const void*>(radix_global_scatter), blocks, threads,
       0, args},
  };
}

[[maybe_unused]] const bool kRegistered =
    register_program({"radix_global", scratch_words, launches});

}  // namespace
}  // namespace pnsim::gpu
