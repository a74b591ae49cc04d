// Device helpers that the three radix sorts share: bits, and prefix sums within one block.
#pragma once

#include "gpu/kernels/kernel_program.h"
#include "gpu/radix_shape.h"

namespace pnsim::gpu {

// The argument of every kernel of these sorts. Device pointers; source and target do not overlap.
struct PassArgs {
  const std::uint32_t* source;  // source[i], i < n: the keys in the order of the pass before
  std::uint32_t* target;        // target[i], i < n: the keys in the order of this pass
  std::uint32_t* scratch;       // undefined between passes
  std::uint32_t n;              // keys, at least 1
  std::uint32_t bit;            // the bit of this pass, 0 ... 31
  std::uint32_t blocks;         // grid of the pass's first launch: the number of parts of the input
  std::uint32_t block;          // threads per block of that launch: a power of two from 64 to 1024
};

// Threads of the single block that scans the counts of all blocks.
inline constexpr unsigned kScanThreads = 1024;
inline constexpr unsigned kMaxBlock = 1024;

__host__ __device__ constexpr unsigned ceil_div(unsigned a, unsigned b) { return (a + b - 1) / b; }

// Number of parts of the input, one per block.
inline unsigned radix_blocks(const AxisValues& axes) {
  return ceil_div(unsigned_of(axes, "n"), unsigned_of(axes, "block") * kKeysPerThread);
}

inline PassArgs radix_args(const AxisValues& axes, const PassBuffers& buffers) {
  return {buffers.source, buffers.target,     buffers.scratch,           unsigned_of(axes, "n"),
          buffers.pass,   radix_blocks(axes), unsigned_of(axes, "block")};
}

__device__ inline bool is_zero(unsigned key, unsigned bit) { return ((key >> bit) & 1u) == 0; }

struct BlockSums {
  unsigned before;  // sum over the threads before this one
  unsigned total;   // sum over all threads of the block
};

// Prefix sums over the threads of a block (Hillis and Steele): log2(threads) steps with one barrier
// each. One barrier suffices because a step reads one half of `steps` and writes the other. steps[2
// * blockDim.x] may lie in shared or in global memory. Every thread of the block must call it.
__device__ inline BlockSums scan_block(unsigned* steps, unsigned value) {
  const unsigned t = threadIdx.x;
  unsigned half = 0;  // start of the half to be written next
  unsigned sum = value;
  for (unsigned offset = 1; offset < blockDim.x; offset *= 2) {
    steps[half + t] = sum;
    __syncthreads();
    if (t >= offset) sum += steps[half + t - offset];
    half = blockDim.x - half;
  }
  if (t == blockDim.x - 1) steps[half] = sum;
  __syncthreads();
  return {sum - value, steps[half]};
}

// Replaces each of counts[0 ... size) by the sum of those before it; counts[size] becomes the
// total. A single block must run it. Each thread sums an equal range, so that only one sum per
// thread enters the block-wide scan. steps as in scan_block.
__device__ inline void scan_counts(unsigned* counts, unsigned size, unsigned* steps) {
  const unsigned share = ceil_div(size, blockDim.x);
  const unsigned first = min(threadIdx.x * share, size);
  const unsigned last = min(first + share, size);
  unsigned sum = 0;
  for (unsigned i = first; i < last; ++i) sum += counts[i];
  unsigned before = scan_block(steps, sum).before;
  for (unsigned i = first; i < last; ++i) {
    const unsigned count = counts[i];
    counts[i] = before;
    before += count;
  }
  if (threadIdx.x == blockDim.x - 1) counts[size] = before;
}

}  // namespace pnsim::gpu
