// gemm_wgmma: C = A * B' of halves by products of warp groups (wgmma). One warp is the producer: it
// keeps the copy engine (TMA) busy through a ring of stages in shared memory. Two warp groups
// consume them: each computes 64 rows of the tile. Barriers in shared memory say which stages are
// full and which are empty.
#include "gpu/gemm_shape.h"
#include "gpu/kernels/kernel_program.h"
#include "gpu/ptx/async_copy.cuh"
#include "gpu/ptx/tensor_map.h"
#include "gpu/ptx/warp_group_product.cuh"

namespace pnsim::gpu {
namespace {

constexpr unsigned kRows = 128, kLine = 64;  // of a tile; halves along K in a stage: 128 bytes
constexpr unsigned kConsumers = 2, kThreads = 128 * (kConsumers + 1);

struct WarpGroupGemmArgs {
  CUtensorMap a, b;
  float* c;  // [m][n]
  unsigned m, n, steps;
};

constexpr unsigned stage_bytes(unsigned columns) { return (kRows + columns) * kLine * 2; }

#ifdef PNSIM_HAS_WGMMA

// One elected thread fills the stages in turn. `full` and `empty` are arrays of barriers.
template <unsigned kColumns, unsigned kStages>
__device__ void produce(const WarpGroupGemmArgs& args, std::uint32_t stages, std::uint32_t full,
                        std::uint32_t empty) {
  constexpr unsigned kBytes = (kRows + kColumns) * kLine * 2;
  const int row = static_cast<int>(blockIdx.y * kRows);
  const int column = static_cast<int>(blockIdx.x * kColumns);
  for (unsigned step = 0; step < args.steps; ++step) {
    const unsigned slot = step % kStages, turn = step / kStages;
    wait_for_phase(empty + 8 * slot, (turn + 1) % 2);  // passes at once in the first turn
    arrive_with_bytes(full + 8 * slot, kBytes);
    const std::uint32_t stage = stages + slot * kBytes;
    const int k = static_cast<int>(step * kLine);
    tensor_load(stage, &args.a, k, row, full + 8 * slot);
    tensor_load(stage + kRows * kLine * 2, &args.b, k, column, full + 8 * slot);
  }
}

// The products of a stage: four steps of 16 along K.
template <class Product>
__device__ void multiply_stage(typename Product::Number (&d)[Product::kNumbers], std::uint32_t a,
                               std::uint32_t b) {
  begin_products();
#pragma unroll
  for (unsigned i = 0; i < 4; ++i)
    Product::step(d, swizzled_tile(a) + 2 * i, swizzled_tile(b) + 2 * i);
  commit_products();
}

template <class Product>
__device__ void store_result(const WarpGroupGemmArgs& args,
                             const typename Product::Number (&d)[Product::kNumbers], unsigned row,
                             unsigned column) {
  const unsigned lane = threadIdx.x % 32;
  row += threadIdx.x % 128 / 32 * 16 + lane / 4;
  column += lane % 4 * 2;
#pragma unroll
  for (unsigned i = 0; i < Product::kNumbers; i += 2) {
    const unsigned y = row + i / 2 % 2 * 8, x = column + i / 4 * 8;
    if (y >= args.m || x >= args.n) continue;
    float* const at = args.c + static_cast<std::size_t>(y) * args.n + x;
    if (args.n % 2 == 0) {
      *reinterpret_cast<float2*>(at) = make_float2(d[i], d[i + 1]);
    } else {
      at[0] = d[i];
      if (x + 1 < args.n) at[1] = d[i + 1];
    }
  }
}

// Keeps the products of one stage under way while it waits for the next stage.
template <unsigned kColumns, unsigned kStages>
__device__ void consume(const WarpGroupGemmArgs& args, std::uint32_t stages, std::uint32_t full,
                        std::uint32_t empty) {
  using Product = WarpGroupProduct<HalfType, static_cast<int>(kColumns)>;
  constexpr unsigned kBytes = (kRows + kColumns) * kLine * 2;
  const unsigned group = threadIdx.x / 128 - 1;
  typename Product::Number d[Product::kNumbers] = {};
  const auto multiply = [&](unsigned step) {
    const std::uint32_t stage = stages + step % kStages * kBytes;
    wait_for_phase(full + 8 * (step % kStages), step / kStages % 2);
    multiply_stage<Product>(d, stage + group * 64 * kLine * 2, stage + kRows * kLine * 2);
  };
  hold(d);
  multiply(0);
#pragma unroll 1
  for (unsigned step = 1; step < args.steps; ++step) {
    multiply(step);
    wait_for_products<1>();  // those of the stage before
    if (threadIdx.x % 32 == 0) arrive(empty + 8 * ((step - 1) % kStages));
  }
  wait_for_products<0>();
  hold(d);
  store_result<Product>(args, d, blockIdx.y * kRows + group * 64, blockIdx.x * kColumns);
}

#endif

template <unsigned kColumns, unsigned kStages>
__device__ void multiply_by_roles(const WarpGroupGemmArgs& args) {
#ifdef PNSIM_HAS_WGMMA
  extern __shared__ __align__(1024) unsigned char buffer[];
  __shared__ __align__(8) std::uint64_t barriers[2 * kStages];
  const std::uint32_t stages = (shared_address(buffer) + 1023u) & ~1023u;
  const std::uint32_t full = shared_address(barriers), empty = full + 8 * kStages;
  if (threadIdx.x == 0) {
    for (unsigned i = 0; i < kStages; ++i) {
      init_barrier(full + 8 * i, 1);
      init_barrier(empty + 8 * i, kConsumers * 4);  // one arrival per warp
    }
    publish_barriers();
  }
  __syncthreads();
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x < 32 && elect_one()) produce<kColumns, kStages>(args, stages, full, empty);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    consume<kColumns, kStages>(args, stages, full, empty);
  }
#endif
}

}  // namespace
}  // namespace pnsim::gpu

using pnsim::gpu::WarpGroupGemmArgs;

#define PNSIM_WARP_GROUP_GEMM(COLUMNS, STAGES)                               \
  extern "C" __global__ void __launch_bounds__(pnsim::gpu::kThreads, 1)      \
      gemm_wgmma_##COLUMNS(const __grid_constant__ WarpGroupGemmArgs args) { \
    pnsim::gpu::multiply_by_roles<COLUMNS, STAGES>(args);                    \
  }
PNSIM_WARP_GROUP_GEMM(128, 6)
PNSIM_WARP_GROUP_GEMM(256, 4)

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const unsigned columns = unsigned_of(axes, "columns"), stages = columns == 128 ? 6 : 4;
  const std::uint64_t k = unsigned_of(axes, "k");
  const std::uint64_t row_bytes = gemm_row_bytes(GemmType::kHalf, k);
  WarpGroupGemmArgs args{};
  args.m = unsigned_of(axes, "m");
  args.n = unsigned_of(axes, "n");
  args.steps = static_cast<unsigned>(row_bytes / (2 * kLine));
  args.c = reinterpret_cast<float*>(buffers.target);
  if (buffers.source != nullptr) {
    // The copy engine takes a pointer to data that it could write.
    char* const a = reinterpret_cast<char*>(const_cast<std::uint32_t*>(buffers.source));
    args.a = tensor_map({a, args.m, row_bytes / 2, row_bytes, kRows, kLine, BoxElement::kHalf,
                         BoxSwizzle::k128Bytes});
    args.b = tensor_map({a + args.m * row_bytes, args.n, row_bytes / 2, row_bytes, columns, kLine,
                         BoxElement::kHalf, BoxSwizzle::k128Bytes});
  }
  return {{columns == 128 ? "gemm_wgmma_128" : "gemm_wgmma_256",
           reinterpret_cast<const void*>(columns == 128 ? gemm_wgmma_128 : gemm_wgmma_256),
           {(args.n + columns - 1) / columns, (args.m + kRows - 1) / kRows},
           {kThreads},
           stages * stage_bytes(columns) + 1024,
           args}};
}

[[maybe_unused]] const bool kRegistered = register_program({"gemm_wgmma", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
