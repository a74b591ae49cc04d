// attention: softmax(Q * K' / sqrt(d)) * V per head, with halves on tensor cores, in one kernel
// that never stores the scores. A block holds 64 queries and walks through the keys in tiles of 64;
// the next tile is copied asynchronously meanwhile. The softmax is corrected as larger scores
// appear.
#include <cuda_fp16.h>

#include "gpu/attention_shape.h"
#include "gpu/kernels/kernel_program.h"
#include "gpu/ptx/async_copy.cuh"

namespace pnsim::gpu {
namespace {

struct AttentionArgs {
  const char *q, *k, *v;  // halves: [heads][rows][d]
  float* out;             // [heads][sequence][d]
  unsigned sequence, rows;
  float scale;  // log2(e) / sqrt(d)
  unsigned causal;
};

constexpr unsigned kTile = kAttentionTile, kThreads = 128;

// Pieces of 16 bytes of a row, exchanged so that eight rows at one place lie in all banks.
template <unsigned kDim>
__device__ unsigned place(unsigned row, unsigned piece) {
  return row * 2 * kDim + 16 * (piece ^ (row % 8));
}

template <unsigned kDim>
__device__ void copy_tile(std::uint32_t shared, const char* rows) {
#pragma unroll
  for (unsigned i = 0; i < kTile * kDim / 8 / kThreads; ++i) {
    const unsigned id = threadIdx.x + i * kThreads, row = id / (kDim / 8), piece = id % (kDim / 8);
    copy_async<16>(shared + place<kDim>(row, piece), rows + row * 2 * kDim + 16 * piece);
  }
}

__device__ void load_rows(std::uint32_t (&word)[4], std::uint32_t address) {
  PNSIM_ASM_80("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])
               : "r"(address)
               : "memory");
}
__device__ void load_columns(std::uint32_t (&word)[4], std::uint32_t address) {
  PNSIM_ASM_80("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])
               : "r"(address)
               : "memory");
}
__device__ void multiply(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                         std::uint32_t b1) {
  PNSIM_ASM_80(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ std::uint32_t two_halves(float low, float high) {
  const __half2 pair = __floats2half2_rn(low, high);
  return reinterpret_cast<const std::uint32_t&>(pair);
}

// Four lanes share a row of a tile.
__device__ float largest_of_row(float x) {
  x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 1));
  return fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 2));
}
__device__ float sum_of_row(float x) {
  x += __shfl_xor_sync(0xffffffffu, x, 1);
  return x + __shfl_xor_sync(0xffffffffu, x, 2);
}

// The 16 queries of a warp; a thread holds parts of two rows, 8 apart.
template <unsigned kDim>
struct Queries {
  std::uint32_t q[kDim / 16][4];
  float out[kDim / 8][4] = {};
  float largest[2] = {-INFINITY, -INFINITY};
  float sum[2] = {};  // of this thread's columns

  __device__ void load(std::uint32_t shared) {
    const unsigned lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane % 16;
#pragma unroll
    for (unsigned i = 0; i < kDim / 16; ++i)
      load_rows(q[i], shared + place<kDim>(row, 2 * i + lane / 16));
  }

  __device__ void score(float (&s)[8][4], std::uint32_t keys) const {
    const unsigned lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned i = 0; i < kDim / 16; ++i) {
#pragma unroll
      for (unsigned j = 0; j < 4; ++j) {
        std::uint32_t b[4];
        load_rows(b, keys + place<kDim>(16 * j + lane / 16 * 8 + lane % 8, 2 * i + lane / 8 % 2));
        multiply(s[2 * j], q[i], b[0], b[1]);
        multiply(s[2 * j + 1], q[i], b[2], b[3]);
      }
    }
  }

  // Turns scores into weights relative to the largest score so far, and corrects what was added
  // before.
  __device__ void weigh(float (&s)[8][4], float scale) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float most = largest[half];
#pragma unroll
      for (int j = 0; j < 8; ++j) most = fmaxf(most, fmaxf(s[j][2 * half], s[j][2 * half + 1]));
      most = largest_of_row(most);
      const float correction = exp2f((largest[half] - most) * scale);
      largest[half] = most;
      sum[half] *= correction;
#pragma unroll
      for (unsigned j = 0; j < kDim / 8; ++j) {
        out[j][2 * half] *= correction;
        out[j][2 * half + 1] *= correction;
      }
#pragma unroll
      for (int j = 0; j < 8; ++j) {
#pragma unroll
        for (int i = 2 * half; i < 2 * half + 2; ++i) {
          s[j][i] = exp2f(fmaf(s[j][i], scale, -most * scale));
          sum[half] += s[j][i];
        }
      }
    }
  }

  __device__ void add(const float (&s)[8][4], std::uint32_t values) {
    const unsigned lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {  // 16 keys
      const std::uint32_t a[4] = {two_halves(s[2 * i][0], s[2 * i][1]),
                                  two_halves(s[2 * i][2], s[2 * i][3]),
                                  two_halves(s[2 * i + 1][0], s[2 * i + 1][1]),
                                  two_halves(s[2 * i + 1][2], s[2 * i + 1][3])};
#pragma unroll
      for (unsigned j = 0; j < kDim / 16; ++j) {
        std::uint32_t b[4];
        load_columns(b, values + place<kDim>(16 * i + lane % 16, 2 * j + lane / 16));
        multiply(out[2 * j], a, b[0], b[1]);
        multiply(out[2 * j + 1], a, b[2], b[3]);
      }
    }
  }

  __device__ void store(const AttentionArgs& args, unsigned head, unsigned first) const {
    const unsigned lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned half = 0; half < 2; ++half) {
      const unsigned row = first + threadIdx.x / 32 * 16 + 8 * half + lane / 4;
      const float share = 1 / sum_of_row(sum[half]);
      if (row >= args.sequence) continue;
      float* const to = args.out + (static_cast<std::size_t>(head) * args.sequence + row) * kDim;
#pragma unroll
      for (unsigned j = 0; j < kDim / 8; ++j) {
        *reinterpret_cast<float2*>(to + 8 * j + lane % 4 * 2) =
            make_float2(out[j][2 * half] * share, out[j][2 * half + 1] * share);
      }
    }
  }
};

// Keys beyond the sequence, and for causal attention beyond the query, count nothing.
__device__ void mask_scores(float (&s)[8][4], const AttentionArgs& args, unsigned first_query,
                            unsigned first_key) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned j = 0; j < 8; ++j) {
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned key = first_key + 8 * j + lane % 4 * 2 + i % 2;
      const unsigned query = first_query + threadIdx.x / 32 * 16 + i / 2 * 8 + lane / 4;
      if (key >= args.sequence || (args.causal != 0 && key > query)) s[j][i] = -INFINITY;
    }
  }
}

template <unsigned kDim>
__device__ void attend(const AttentionArgs& args) {
  constexpr unsigned kTileBytes = kTile * kDim * 2;
  extern __shared__ __align__(128) unsigned char tiles[];
  const std::uint32_t shared = shared_address(tiles), stages = shared + kTileBytes;
  const unsigned head = blockIdx.y, first = blockIdx.x * kTile;
  const std::size_t head_bytes = static_cast<std::size_t>(head) * args.rows * kDim * 2;
  const unsigned steps = args.causal != 0 ? blockIdx.x + 1 : args.rows / kTile;
  const auto copy = [&](unsigned step) {
    if (step < steps) {
      const std::uint32_t stage = stages + step % 2 * 2 * kTileBytes;
      const std::size_t at = head_bytes + static_cast<std::size_t>(step) * kTileBytes;
      copy_tile<kDim>(stage, args.k + at);
      copy_tile<kDim>(stage + kTileBytes, args.v + at);
    }
    commit_copies();
  };
  copy_tile<kDim>(shared, args.q + head_bytes + static_cast<std::size_t>(blockIdx.x) * kTileBytes);
  copy(0);
  Queries<kDim> queries;
#pragma unroll 1
  for (unsigned step = 0; step < steps; ++step) {
    copy(step + 1);
    wait_for_copies<1>();
    __syncthreads();
    if (step == 0) queries.load(shared);
    const std::uint32_t stage = stages + step % 2 * 2 * kTileBytes;
    float s[8][4] = {};
    queries.score(s, stage);
    if (step + 1 == steps) mask_scores(s, args, first, step * kTile);
    queries.weigh(s, args.scale);
    queries.add(s, stage + kTileBytes);
    __syncthreads();  // before the stage is overwritten
  }
  queries.store(args, head, first);
}

}  // namespace
}  // namespace pnsim::gpu

extern "C" __global__ void __launch_bounds__(128) attention_64(pnsim::gpu::AttentionArgs args) {
  pnsim::gpu::attend<64>(args);
}
extern "C" __global__ void __launch_bounds__(128) attention_128(pnsim::gpu::AttentionArgs args) {
  pnsim::gpu::attend<128>(args);
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const unsigned d = unsigned_of(axes, "d"), heads = unsigned_of(axes, "heads");
  AttentionArgs args{};
  args.sequence = unsigned_of(axes, "sequence");
  args.rows = static_cast<unsigned>(attention_rows(args.sequence));
  const std::size_t matrix = std::size_t{heads} * args.rows * d * 2;
  if (buffers.source != nullptr) {
    args.q = reinterpret_cast<const char*>(buffers.source);
    args.k = args.q + matrix;
    args.v = args.k + matrix;
  }
  args.out = reinterpret_cast<float*>(buffers.target);
  constexpr float kLog2OfE = 1.44269504f;
  args.scale = kLog2OfE / sqrtf(static_cast<float>(d));
  args.causal = unsigned_of(axes, "causal");
  return {{d == 64 ? "attention_64" : "attention_128",
           reinterpret_cast<const void*>(d == 64 ? attention_64 : attention_128),
           {args.rows / kTile, heads},
           {kThreads},
           5 * kTile * d * 2,  // queries, and two stages of keys and values
           args}};
}

[[maybe_unused]] const bool kRegistered = register_program({"attention", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
