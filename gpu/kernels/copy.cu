// copy: every word is read once and written once. A thread makes one access of one word or of four
// consecutive words: the same traffic with a quarter of the instructions.
#include "gpu/kernels/kernel_program.h"

namespace pnsim::gpu {
namespace {

struct CopyArgs {
  const std::uint32_t* in;
  std::uint32_t* out;
  unsigned n;
};

}  // namespace
}  // namespace pnsim::gpu

extern "C" __global__ void copy_by_1(pnsim::gpu::CopyArgs args) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < args.n) args.out[i] = args.in[i];
}

extern "C" __global__ void copy_by_4(pnsim::gpu::CopyArgs args) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i + 4 <= args.n) {
    reinterpret_cast<uint4*>(args.out)[i] = reinterpret_cast<const uint4*>(args.in)[i];
  } else {
    for (unsigned rest = 4 * i; rest < args.n; ++rest) args.out[rest] = args.in[rest];
  }
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const CopyArgs args = {buffers.source, buffers.target, unsigned_of(axes, "n")};
  const unsigned block = unsigned_of(axes, "block"), words = unsigned_of(axes, "words");
  const bool is_wide = words == 4;
  return {{is_wide ? "copy_by_4" : "copy_by_1",
           reinterpret_cast<const void*>(is_wide ? copy_by_4 : copy_by_1),
           {(args.n + words * block - 1) / (words * block)},
           {block},
           0,
           args}};
}

[[maybe_unused]] const bool kRegistered = register_program({"copy", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
