// binary_search: for each key, the number of words of a sorted table that are less than it. Lanes
// take the same number of steps to addresses that drift apart.
#include "gpu/kernels/kernel_program.h"

namespace pnsim::gpu {
namespace {

struct SearchArgs {
  const std::uint32_t *table, *keys;
  std::uint32_t* out;
  unsigned n, table_words;
};

}  // namespace
}  // namespace pnsim::gpu

extern "C" __global__ void binary_search(pnsim::gpu::SearchArgs args) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n) return;
  const std::uint32_t key = args.keys[i];
  unsigned first = 0, count = args.table_words;
  while (count > 0) {
    const unsigned half = count / 2;
    if (args.table[first + half] < key) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  args.out[i] = first;
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  SearchArgs args{};
  args.n = unsigned_of(axes, "n");
  args.table_words = unsigned_of(axes, "table");
  args.table = buffers.source;
  args.keys = buffers.source == nullptr ? nullptr : buffers.source + args.table_words;
  args.out = buffers.target;
  const unsigned block = unsigned_of(axes, "block");
  return {{"binary_search",
           reinterpret_cast<const void*>(binary_search),
           {(args.n + block - 1) / block},
           {block},
           0,
           args}};
}

[[maybe_unused]] const bool kRegistered = register_program({"binary_search", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
