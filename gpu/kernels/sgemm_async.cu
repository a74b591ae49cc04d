// sgemm_async: C = A * B' in single precision, without tensor cores. Tiles of A and B go through
// several stages in shared memory by asynchronous copies of 4 bytes, which transpose them. Each of
// 256 threads computes 8 x 8 elements of a tile of 128 x 128.
#include "gpu/gemm_shape.h"
#include "gpu/kernels/kernel_program.h"
#include "gpu/ptx/async_copy.cuh"

namespace pnsim::gpu {
namespace {

struct SingleGemmArgs {
  const float* a;  // [m][pitch]
  const float* b;  // [n][pitch]
  float* c;        // [m][n]
  unsigned m, n, pitch;
};

constexpr unsigned kTile = 128, kDepth = 8, kThreads = 256;
constexpr unsigned kPitch = kTile + 4;  // keeps the transposing copies off each other's banks

// What a thread copies of each stage: four words of A and of B, of one column.
struct SingleCopy {
  const float *a[4], *b[4];
  unsigned to;  // bytes

  __device__ SingleCopy(const SingleGemmArgs& args, unsigned row, unsigned column) {
    const unsigned k = threadIdx.x % kDepth, first = threadIdx.x / kDepth;
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned line = first + i * (kThreads / kDepth);
      a[i] = args.a + static_cast<std::size_t>(min(row + line, args.m - 1)) * args.pitch + k;
      b[i] = args.b + static_cast<std::size_t>(min(column + line, args.n - 1)) * args.pitch + k;
    }
    to = 4 * (k * kPitch + first);
  }

  __device__ void next(std::uint32_t stage) {
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
      copy_async<4>(stage + to + 4 * i * (kThreads / kDepth), a[i]);
      copy_async<4>(stage + 4 * kDepth * kPitch + to + 4 * i * (kThreads / kDepth), b[i]);
      a[i] += kDepth;
      b[i] += kDepth;
    }
  }
};

// Rows 4y ... 4y + 3 and 64 further, of one column along K.
__device__ void load_eight(float (&out)[8], const float* line, unsigned first) {
  const float4 low = *reinterpret_cast<const float4*>(line + first);
  const float4 high = *reinterpret_cast<const float4*>(line + first + 64);
  out[0] = low.x, out[1] = low.y, out[2] = low.z, out[3] = low.w;
  out[4] = high.x, out[5] = high.y, out[6] = high.z, out[7] = high.w;
}

template <int kStages>
__device__ void multiply_in_stages(const SingleGemmArgs& args) {
  constexpr unsigned kStageWords = 2 * kDepth * kPitch;
  __shared__ __align__(16) float stages[kStages][kStageWords];
  const unsigned row = blockIdx.y * kTile, column = blockIdx.x * kTile;
  const unsigned x = threadIdx.x % 16, y = threadIdx.x / 16;
  const int steps = static_cast<int>(args.pitch / kDepth);
  SingleCopy lines(args, row, column);
  const auto copy = [&](int step) {
    if (step < steps) lines.next(shared_address(stages[step % kStages]));
    commit_copies();
  };
  float sum[8][8] = {};
#pragma unroll
  for (int step = 0; step < kStages - 1; ++step) copy(step);
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    wait_for_copies<kStages - 2>();
    __syncthreads();
    copy(step + kStages - 1);
    const float* const stage = stages[step % kStages];
#pragma unroll
    for (unsigned k = 0; k < kDepth; ++k) {
      float a[8], b[8];
      load_eight(a, stage + k * kPitch, 4 * y);
      load_eight(b, stage + (kDepth + k) * kPitch, 4 * x);
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] = fmaf(a[i], b[j], sum[i][j]);
      }
    }
  }
#pragma unroll
  for (unsigned i = 0; i < 8; ++i) {
    const unsigned to_row = row + 4 * y + i % 4 + i / 4 * 64;
#pragma unroll
    for (unsigned j = 0; j < 8; ++j) {
      const unsigned to_column = column + 4 * x + j % 4 + j / 4 * 64;
      if (to_row < args.m && to_column < args.n)
        args.c[static_cast<std::size_t>(to_row) * args.n + to_column] = sum[i][j];
    }
  }
}

}  // namespace
}  // namespace pnsim::gpu

using pnsim::gpu::SingleGemmArgs;

extern "C" __global__ void __launch_bounds__(256) sgemm_async_2(SingleGemmArgs args) {
  pnsim::gpu::multiply_in_stages<2>(args);
}
extern "C" __global__ void __launch_bounds__(256) sgemm_async_3(SingleGemmArgs args) {
  pnsim::gpu::multiply_in_stages<3>(args);
}
extern "C" __global__ void __launch_bounds__(256) sgemm_async_4(SingleGemmArgs args) {
  pnsim::gpu::multiply_in_stages<4>(args);
}

namespace pnsim::gpu {
namespace {

struct SingleGemmKernel {
  const char* name;
  void (*function)(SingleGemmArgs);
};

// By stages, from 2.
constexpr SingleGemmKernel kKernels[] = {{"sgemm_async_2", sgemm_async_2},
                                         {"sgemm_async_3", sgemm_async_3},
                                         {"sgemm_async_4", sgemm_async_4}};

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const SingleGemmKernel& kernel = kKernels[unsigned_of(axes, "stages") - 2];
  SingleGemmArgs args{};
  args.m = unsigned_of(axes, "m");
  args.n = unsigned_of(axes, "n");
  args.pitch = static_cast<unsigned>(gemm_row_bytes(GemmType::kTf32, unsigned_of(axes, "k")) / 4);
  args.a = reinterpret_cast<const float*>(buffers.source);
  args.b = args.a == nullptr ? nullptr : args.a + std::size_t{args.m} * args.pitch;
  args.c = reinterpret_cast<float*>(buffers.target);
  return {{kernel.name,
           reinterpret_cast<const void*>(kernel.function),
           {(args.n + kTile - 1) / kTile, (args.m + kTile - 1) / kTile},
           {kThreads},
           0,
           args}};
}

[[maybe_unused]] const bool kRegistered = register_program({"sgemm_async", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
