// gather: loads words from random positions of a table, one word per thread. A warp accesses up to
// 32 sectors per load. The size of the table decides whether they come from the L2 cache or from
// memory.
#include "gpu/kernels/kernel_program.h"

namespace pnsim::gpu {
namespace {

struct GatherArgs {
  const std::uint32_t* places;  // [n]: indices into the table
  const std::uint32_t* table;
  std::uint32_t* out;  // [n]
  unsigned n;
};

}  // namespace
}  // namespace pnsim::gpu

extern "C" __global__ void gather(pnsim::gpu::GatherArgs args) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < args.n) args.out[i] = args.table[args.places[i]];
}

namespace pnsim::gpu {
namespace {

// The input holds the positions, then the table.
std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const unsigned n = unsigned_of(axes, "n"), block = unsigned_of(axes, "block");
  const std::uint32_t* const places = buffers.source;
  const GatherArgs args = {places, places == nullptr ? nullptr : places + n, buffers.target, n};
  return {{"gather",
           reinterpret_cast<const void*>(gather),
           {(n + block - 1) / block},
           {block},
           0,
           args}};
}

[[maybe_unused]] const bool kRegistered = register_program({"gather", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
