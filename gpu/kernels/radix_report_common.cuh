// Shared by the three versions of the report's radix sort ("Report Contest-CUDA Radix Sort", Case
// Study). One thread handles one key. A pass is three launches, because only the end of a kernel
// synchronises the whole grid:
//   sum      each thread sums the bits of its block up to its own key
//   ones     each thread adds the sums of all blocks before its own: ones up to its key
//   scatter  each thread moves its key: a zero back by the ones before it, a one behind all zeros
// Scratch memory holds three arrays of n words: the bits, the sums within the block, and the sums
// within the grid.
#pragma once

#include "gpu/kernels/kernel_program.h"

namespace pnsim::gpu {

struct ReportArgs {
  const std::uint32_t* source;  // [n]
  std::uint32_t* target;        // [n]
  std::uint32_t* bits;          // [n]
  std::uint32_t* block_sums;    // [n]
  std::uint32_t* grid_sums;     // [n]
  TextureHandle source_texture;
  TextureHandle scratch_texture;  // bits, block_sums and grid_sums, consecutively
  std::uint32_t n;
  std::uint32_t bit;
};

__device__ inline unsigned this_key() { return blockIdx.x * blockDim.x + threadIdx.x; }

// The new position of key i. ones: number of ones up to and including the key itself.
__device__ inline unsigned new_position(unsigned i, bool is_one, unsigned ones, unsigned all_ones,
                                        unsigned n) {
  return is_one ? n - all_ones + ones - 1 : i - ones;
}

// Sum of the bits of a block up to the calling thread's bit, staged in shared memory. Every thread
// of the block must call it.
__device__ inline unsigned sum_staged_bits(unsigned* staged, unsigned bit_of_key) {
  staged[threadIdx.x] = bit_of_key;
  __syncthreads();
  unsigned sum = 0;
  for (unsigned j = 0; j <= threadIdx.x; ++j) sum += staged[j];
  return sum;
}

inline ReportArgs report_args(const AxisValues& axes, const PassBuffers& buffers) {
  const unsigned n = unsigned_of(axes, "n");
  std::uint32_t* const scratch = buffers.scratch;
  const bool is_bound = scratch != nullptr;  // otherwise only the shapes are requested
  return {buffers.source,
          buffers.target,
          scratch,
          is_bound ? scratch + n : nullptr,
          is_bound ? scratch + 2 * std::size_t{n} : nullptr,
          buffers.source_texture,
          buffers.scratch_texture,
          n,
          buffers.pass};
}

inline std::size_t report_scratch_words(const AxisValues& axes) {
  return 3 * static_cast<std::size_t>(value_of(axes, "n"));
}

// A kernel of a pass. All three kernels have one thread per key.
struct ReportKernel {
  const char* name;
  void (*function)(ReportArgs);
  bool stages;  // whether it uses one word of shared memory per thread
};

inline std::vector<Launch> report_launches(const AxisValues& axes, const PassBuffers& buffers,
                                           const ReportKernel (&kernels)[3]) {
  const unsigned block = unsigned_of(axes, "block");
  const Extent grid = {(unsigned_of(axes, "n") + block - 1) / block};
  std::vector<Launch> launches;
  for (const ReportKernel& kernel : kernels) {
    const unsigned shared_bytes = kernel.stages ? block * unsigned{sizeof(unsigned)} : 0;
    launches.push_back({kernel.name,
                        reinterpret_cast<const void*>(kernel.function),
                        grid,
                        {block},
                        shared_bytes,
                        report_args(axes, buffers)});
  }
  return launches;
}

}  // namespace pnsim::gpu
