// constant_table: each word looks up others in a table in constant memory, at an index that depends
// on it: lanes of a warp read different addresses, one after the other.
#include "gpu/kernels/kernel_program.h"
#include "gpu/table_shape.h"

namespace pnsim::gpu {
namespace {

struct Table {
  std::uint32_t words[kConstantWords];
  constexpr Table() : words() {
    for (std::uint32_t i = 0; i < kConstantWords; ++i) words[i] = constant_word(i);
  }
};
__constant__ Table kTable;

struct TableArgs {
  const std::uint32_t* in;
  std::uint32_t* out;
  unsigned n, mask;
};

}  // namespace
}  // namespace pnsim::gpu

extern "C" __global__ void constant_table(pnsim::gpu::TableArgs args) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n) return;
  std::uint32_t x = args.in[i];
#pragma unroll
  for (unsigned k = 0; k < pnsim::gpu::kLookUps; ++k)
    x = (x << 5 | x >> 27) ^ pnsim::gpu::kTable.words[x & args.mask];
  args.out[i] = x;
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const TableArgs args = {buffers.source, buffers.target, unsigned_of(axes, "n"),
                          unsigned_of(axes, "table") - 1};
  const unsigned block = unsigned_of(axes, "block");
  return {{"constant_table",
           reinterpret_cast<const void*>(constant_table),
           {(args.n + block - 1) / block},
           {block},
           0,
           args}};
}

[[maybe_unused]] const bool kRegistered =
    register_program({"constant_table", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
