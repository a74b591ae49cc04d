// gemm_mma: C = A * B' on tensor cores by mma.sync, for halves, TF32, int8 and doubles. Tiles of A
// and B go through several stages in shared memory by asynchronous copies, and from there by
// ldmatrix into registers.
#include "gpu/gemm_shape.h"
#include "gpu/kernels/kernel_program.h"
#include "gpu/ptx/async_copy.cuh"

namespace pnsim::gpu {
namespace {

struct GemmArgs {
  const char* a;  // [m][row_bytes]
  const char* b;  // [n][row_bytes]
  void* c;        // [m][n] floats or doubles
  unsigned m, n;
  unsigned row_bytes;
  float unit;  // of a sum of int8 products
};

constexpr unsigned kLineBytes = 64;  // of a row in a stage: two steps along K

// Four pieces of 16 bytes per row, exchanged so that eight rows at one place lie in all banks.
__device__ unsigned place(unsigned row, unsigned piece) {
  return row * kLineBytes + 16 * (piece ^ (row / 2 % 4));
}

__device__ void load_fragment(std::uint32_t (&word)[4], std::uint32_t address) {
  PNSIM_ASM_80("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])
               : "r"(address)
               : "memory");
}

#define PNSIM_GEMM_PRODUCT(NAME, NUMBER, C, WHAT)                                                  \
  struct NAME {                                                                                    \
    using Number = NUMBER;                                                                         \
    static __device__ void multiply(Number (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0, \
                                    std::uint32_t b1) {                                            \
      PNSIM_ASM_80("mma.sync.aligned." WHAT                                                        \
                   " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                        \
                   : "+" C(d[0]), "+" C(d[1]), "+" C(d[2]), "+" C(d[3])                            \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));                \
    }                                                                                              \
  };

PNSIM_GEMM_PRODUCT(HalfProduct, float, "f", "m16n8k16.row.col.f32.f16.f16.f32")
PNSIM_GEMM_PRODUCT(Tf32Product, float, "f", "m16n8k8.row.col.f32.tf32.tf32.f32")
PNSIM_GEMM_PRODUCT(Int8Product, int, "r", "m16n8k32.row.col.s32.s8.s8.s32")

// The four pieces of each stage that a thread copies: of the lines of both tiles. Rows beyond the
// matrix repeat the last one; their results are not stored.
template <unsigned kTile, unsigned kThreads>
struct StageCopy {
  static constexpr unsigned kPieces = 2 * kTile * 4 / kThreads;
  const char* from[kPieces];
  unsigned to[kPieces];

  __device__ StageCopy(const GemmArgs& args, unsigned row_of_a, unsigned row_of_b) {
#pragma unroll
    for (unsigned i = 0; i < kPieces; ++i) {
      const unsigned id = threadIdx.x + i * kThreads, row = id / 4, piece = id % 4;
      const bool is_a = row < kTile;
      const unsigned wanted = is_a ? row_of_a + row : row_of_b + row - kTile;
      const unsigned last = (is_a ? args.m : args.n) - 1;
      from[i] = (is_a ? args.a : args.b) +
                static_cast<std::size_t>(min(wanted, last)) * args.row_bytes + 16 * piece;
      to[i] = place(row, piece);
    }
  }

  // The next lines, into the stage.
  __device__ void next(std::uint32_t stage) {
#pragma unroll
    for (unsigned i = 0; i < kPieces; ++i) {
      copy_async<16>(stage + to[i], from[i]);
      from[i] += kLineBytes;
    }
  }
};

// The part of a warp: kRows x 32 elements of C, as tiles of 16 x 8.
template <class Product, unsigned kRows>
struct WarpTile {
  static constexpr unsigned kDown = kRows / 16, kAcross = 4;
  typename Product::Number d[kDown][kAcross][4] = {};

  __device__ void multiply(std::uint32_t stage, unsigned row, unsigned column) {
    const unsigned lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned step = 0; step < 2; ++step) {
      std::uint32_t a[kDown][4], b[kAcross / 2][4];
#pragma unroll
      for (unsigned i = 0; i < kDown; ++i)  // rows 0-7 and 8-15, then the same 16 bytes further
        load_fragment(a[i], stage + place(row + 16 * i + lane % 16, 2 * step + lane / 16));
#pragma unroll
      for (unsigned j = 0; j < kAcross / 2; ++j) {  // two tiles of eight columns
        const unsigned of_b = column + 16 * j + lane / 16 * 8 + lane % 8;
        load_fragment(b[j], stage + place(of_b, 2 * step + lane / 8 % 2));
      }
#pragma unroll
      for (unsigned i = 0; i < kDown; ++i) {
#pragma unroll
        for (unsigned j = 0; j < kAcross; ++j)
          Product::multiply(d[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
      }
    }
  }

  __device__ void store(const GemmArgs& args, unsigned row, unsigned column) const {
    const unsigned lane = threadIdx.x % 32;
    auto* const c = static_cast<float*>(args.c);
#pragma unroll
    for (unsigned i = 0; i < kDown; ++i) {
#pragma unroll
      for (unsigned j = 0; j < kAcross; ++j) {
#pragma unroll
        for (unsigned half = 0; half < 2; ++half) {
          const unsigned y = row + 16 * i + 8 * half + lane / 4, x = column + 8 * j + lane % 4 * 2;
          if (y >= args.m || x >= args.n) continue;
          float* const at = c + static_cast<std::size_t>(y) * args.n + x;
          const float left = static_cast<float>(d[i][j][2 * half]) * args.unit;
          const float right = static_cast<float>(d[i][j][2 * half + 1]) * args.unit;
          if (args.n % 2 == 0) {
            *reinterpret_cast<float2*>(at) = make_float2(left, right);
          } else {
            at[0] = left;
            if (x + 1 < args.n) at[1] = right;
          }
        }
      }
    }
  }
};

// The same with doubles: tiles of 8 x 8, four steps of 4 along K in a line.
template <unsigned kRows>
struct DoubleWarpTile {
  static constexpr unsigned kDown = kRows / 8, kAcross = 4;
  double d[kDown][kAcross][2] = {};

  static __device__ double element(std::uint32_t stage, unsigned row, unsigned k) {
    double out = 0;
    asm volatile("ld.shared.f64 %0, [%1];"
                 : "=d"(out)
                 : "r"(stage + place(row, k / 2) + 8 * (k % 2))
                 : "memory");
    return out;
  }

  __device__ void multiply(std::uint32_t stage, unsigned row, unsigned column) {
    const unsigned lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned step = 0; step < 2; ++step) {
      const unsigned k = 4 * step + lane % 4;
      double a[kDown], b[kAcross];
#pragma unroll
      for (unsigned i = 0; i < kDown; ++i) a[i] = element(stage, row + 8 * i + lane / 4, k);
#pragma unroll
      for (unsigned j = 0; j < kAcross; ++j) b[j] = element(stage, column + 8 * j + lane / 4, k);
#pragma unroll
      for (unsigned i = 0; i < kDown; ++i) {
#pragma unroll
        for (unsigned j = 0; j < kAcross; ++j) {
          PNSIM_ASM_80(
              "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
              : "+d"(d[i][j][0]), "+d"(d[i][j][1])
              : "d"(a[i]), "d"(b[j]));
        }
      }
    }
  }

  __device__ void store(const GemmArgs& args, unsigned row, unsigned column) const {
    const unsigned lane = threadIdx.x % 32;
    auto* const c = static_cast<double*>(args.c);
#pragma unroll
    for (unsigned i = 0; i < kDown; ++i) {
#pragma unroll
      for (unsigned j = 0; j < kAcross; ++j) {
        const unsigned y = row + 8 * i + lane / 4, x = column + 8 * j + lane % 4 * 2;
        if (y >= args.m || x >= args.n) continue;
        double* const at = c + static_cast<std::size_t>(y) * args.n + x;
        at[0] = d[i][j][0];
        if (x + 1 < args.n) at[1] = d[i][j][1];
      }
    }
  }
};

// A block computes kTile x kTile elements; a warp half of the rows and 32 columns.
template <class Tile, unsigned kTile, int kStages>
__device__ void multiply_matrices(const GemmArgs& args) {
  constexpr unsigned kThreads = 2 * kTile, kStageBytes = 2 * kTile * kLineBytes;
  extern __shared__ __align__(128) unsigned char stages[];
  const std::uint32_t shared = shared_address(stages);
  const unsigned row = blockIdx.y * kTile, column = blockIdx.x * kTile;
  const unsigned warp = threadIdx.x / 32, down = warp % 2 * (kTile / 2), across = warp / 2 * 32;
  const int steps = static_cast<int>(args.row_bytes / kLineBytes);
  StageCopy<kTile, kThreads> lines(args, row, column);
  const auto copy = [&](int step) {
    if (step < steps) lines.next(shared + static_cast<unsigned>(step % kStages) * kStageBytes);
    commit_copies();  // also an empty group, so that groups are counted alike
  };
  Tile tile;
#pragma unroll
  for (int step = 0; step < kStages - 1; ++step) copy(step);
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    wait_for_copies<kStages - 2>();
    __syncthreads();
    copy(step + kStages - 1);
    tile.multiply(shared + static_cast<unsigned>(step % kStages) * kStageBytes, down,
                  kTile + across);
  }
  tile.store(args, row + down, column + across);
}

}  // namespace
}  // namespace pnsim::gpu

using pnsim::gpu::GemmArgs;

#define PNSIM_GEMM_KERNEL(NAME, TILE, STAGES, ...)         \
  extern "C" __global__ void __launch_bounds__(2 * TILE)   \
      gemm_mma_##NAME##_##TILE##_##STAGES(GemmArgs args) { \
    using namespace pnsim::gpu;                            \
    multiply_matrices<__VA_ARGS__, TILE, STAGES>(args);    \
  }
#define PNSIM_GEMM_KERNELS(NAME, ...)              \
  PNSIM_GEMM_KERNEL(NAME, 64, 2, __VA_ARGS__<32>)  \
  PNSIM_GEMM_KERNEL(NAME, 64, 4, __VA_ARGS__<32>)  \
  PNSIM_GEMM_KERNEL(NAME, 128, 2, __VA_ARGS__<64>) \
  PNSIM_GEMM_KERNEL(NAME, 128, 4, __VA_ARGS__<64>)

namespace pnsim::gpu {
namespace {
template <unsigned kRows>
using HalfTile = WarpTile<HalfProduct, kRows>;
template <unsigned kRows>
using Tf32Tile = WarpTile<Tf32Product, kRows>;
template <unsigned kRows>
using Int8Tile = WarpTile<Int8Product, kRows>;
}  // namespace
}  // namespace pnsim::gpu

PNSIM_GEMM_KERNELS(half, HalfTile)
PNSIM_GEMM_KERNELS(tf32, Tf32Tile)
PNSIM_GEMM_KERNELS(int8, Int8Tile)
PNSIM_GEMM_KERNELS(double, DoubleWarpTile)

namespace pnsim::gpu {
namespace {

struct GemmKernel {
  GemmType type;
  unsigned tile, stages;
  const char* name;
  void (*function)(GemmArgs);
};

#define PNSIM_GEMM_ROW(TYPE, NAME, TILE, STAGES)                           \
  {                                                                        \
    GemmType::TYPE, TILE, STAGES, "gemm_mma_" #NAME "_" #TILE "_" #STAGES, \
        gemm_mma_##NAME##_##TILE##_##STAGES                                \
  }
#define PNSIM_GEMM_ROWS(TYPE, NAME)                                     \
  PNSIM_GEMM_ROW(TYPE, NAME, 64, 2), PNSIM_GEMM_ROW(TYPE, NAME, 64, 4), \
      PNSIM_GEMM_ROW(TYPE, NAME, 128, 2), PNSIM_GEMM_ROW(TYPE, NAME, 128, 4)
constexpr GemmKernel kGemmKernels[] = {PNSIM_GEMM_ROWS(kHalf, half), PNSIM_GEMM_ROWS(kTf32, tf32),
                                       PNSIM_GEMM_ROWS(kInt8, int8),
                                       PNSIM_GEMM_ROWS(kDouble, double)};

const GemmKernel& kernel_of(const AxisValues& axes) {
  for (const GemmKernel& kernel : kGemmKernels) {
    if (static_cast<unsigned>(kernel.type) == unsigned_of(axes, "type") &&
        kernel.tile == unsigned_of(axes, "tile") && kernel.stages == unsigned_of(axes, "stages"))
      return kernel;
  }
  throw Error(ExitCode::kInternal, "gemm_mma has no kernel for this type, tile and stages");
}

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const GemmKernel& kernel = kernel_of(axes);
  GemmArgs args{};
  args.m = unsigned_of(axes, "m");
  args.n = unsigned_of(axes, "n");
  args.row_bytes = static_cast<unsigned>(gemm_row_bytes(kernel.type, unsigned_of(axes, "k")));
  args.a = reinterpret_cast<const char*>(buffers.source);
  args.b = args.a == nullptr ? nullptr : args.a + std::size_t{args.m} * args.row_bytes;
  args.c = buffers.target;
  args.unit = kernel.type == GemmType::kInt8 ? kGemmUnit * kGemmUnit : 1.0f;
  return {{kernel.name,
           reinterpret_cast<const void*>(kernel.function),
           {(args.n + kernel.tile - 1) / kernel.tile, (args.m + kernel.tile - 1) / kernel.tile},
           {2 * kernel.tile},
           kernel.stages * 2 * kernel.tile * kLineBytes,
           args}};
}

[[maybe_unused]] const bool kRegistered = register_program({"gemm_mma", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
