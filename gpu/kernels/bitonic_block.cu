// bitonic_block: each block sorts two keys per thread in shared memory with a bitonic network. A
// thread makes one comparison per step; there are log2(keys) (log2(keys) + 1) / 2 steps with
// barriers between. The last block is padded with the largest key.
#include "gpu/block_shape.h"
#include "gpu/kernels/kernel_program.h"

namespace pnsim::gpu {
namespace {

struct BitonicArgs {
  const std::uint32_t* in;
  std::uint32_t* out;
  unsigned n;
};

__device__ void put_in_order(std::uint32_t& first, std::uint32_t& second, bool is_ascending) {
  if ((first > second) != is_ascending) return;
  const std::uint32_t old = first;
  first = second;
  second = old;
}

// Merges pairs of runs into runs of `run` keys, which are alternately ascending and descending. The
// first run ascends, and so does the final merge of all keys.
__device__ void merge_runs(std::uint32_t* keys, unsigned run) {
  const unsigned thread = threadIdx.x;
  const bool is_ascending = (thread & run / 2) == 0;
  for (unsigned distance = run / 2; distance > 0; distance /= 2) {
    __syncthreads();
    const unsigned at = 2 * thread - (thread & (distance - 1));
    put_in_order(keys[at], keys[at + distance], is_ascending);
  }
}

}  // namespace
}  // namespace pnsim::gpu

extern "C" __global__ void bitonic_block(pnsim::gpu::BitonicArgs args) {
  extern __shared__ std::uint32_t keys[];  // [2 threads]
  const unsigned count = pnsim::gpu::kSortedPerThread * blockDim.x;
  const unsigned first = blockIdx.x * count;
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
    keys[i] = first + i < args.n ? args.in[first + i] : 0xFFFFFFFFu;
  }
  for (unsigned run = 2; run <= count; run *= 2) pnsim::gpu::merge_runs(keys, run);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
    if (first + i < args.n) args.out[first + i] = keys[i];
  }
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const BitonicArgs args = {buffers.source, buffers.target, unsigned_of(axes, "n")};
  const unsigned block = unsigned_of(axes, "block"), part = kSortedPerThread * block;
  return {{"bitonic_block",
           reinterpret_cast<const void*>(bitonic_block),
           {(args.n + part - 1) / part},
           {block},
           part * unsigned{sizeof(std::uint32_t)},
           args}};
}

[[maybe_unused]] const bool kRegistered = register_program({"bitonic_block", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
