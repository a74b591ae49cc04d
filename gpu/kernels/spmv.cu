// spmv: a sparse matrix in compressed rows times a vector. With one thread per row, the lanes of a
// warp read entries far apart, and the warp runs as long as its longest row. With one warp per row,
// its lanes read consecutive entries and reduce by shuffles. Both gather from the vector.
#include "gpu/kernels/kernel_program.h"
#include "gpu/spmv_shape.h"

namespace pnsim::gpu {
namespace {

struct SpmvArgs {
  const std::uint32_t* starts;   // [rows + 1]: a row's first entry
  const std::uint32_t* columns;  // [entries]
  const float* values;           // [entries]
  const float* vector;           // [rows]
  float* product;                // [rows]
  unsigned rows;
};

// Partial sum of a row over every `step`-th entry, starting at `offset` from its first entry.
__device__ float sum_of_row(const SpmvArgs& args, unsigned row, unsigned offset, unsigned step) {
  const unsigned end = args.starts[row + 1];
  float sum = 0;
  for (unsigned i = args.starts[row] + offset; i < end; i += step) {
    sum += args.values[i] * args.vector[args.columns[i]];
  }
  return sum;
}

}  // namespace
}  // namespace pnsim::gpu

extern "C" __global__ void spmv_thread(pnsim::gpu::SpmvArgs args) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < args.rows) args.product[row] = pnsim::gpu::sum_of_row(args, row, 0, 1);
}

extern "C" __global__ void spmv_warp(pnsim::gpu::SpmvArgs args) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= args.rows) return;  // the whole warp
  float sum = pnsim::gpu::sum_of_row(args, row, lane, 32);
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xFFFFFFFFu, sum, distance);
  }
  if (lane == 0) args.product[row] = sum;
}

namespace pnsim::gpu {
namespace {

SpmvArgs spmv_args(const AxisValues& axes, const PassBuffers& buffers) {
  const SpmvShape shape = spmv_shape(axes);
  const auto rows = static_cast<unsigned>(shape.rows);
  const std::uint32_t* const in = buffers.source;
  if (in == nullptr) return {nullptr, nullptr, nullptr, nullptr, nullptr, rows};
  const float* const numbers = reinterpret_cast<const float*>(in);
  return {in,
          in + shape.columns_at(),
          numbers + shape.values_at(),
          numbers + shape.vector_at(),
          reinterpret_cast<float*>(buffers.target),
          rows};
}

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const SpmvArgs args = spmv_args(axes, buffers);
  const unsigned block = unsigned_of(axes, "block");
  const bool is_by_warps = value_of(axes, "by_warps") == 1;
  const unsigned rows_a_block = is_by_warps ? block / 32 : block;
  return {{is_by_warps ? "spmv_warp" : "spmv_thread",
           reinterpret_cast<const void*>(is_by_warps ? spmv_warp : spmv_thread),
           {(args.rows + rows_a_block - 1) / rows_a_block},
           {block},
           0,
           args}};
}

[[maybe_unused]] const bool kRegistered = register_program({"spmv", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
