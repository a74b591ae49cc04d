// lookback_scan: inclusive prefix sums of all words in one pass. A block publishes the sum of its
// tile, then looks back over the tiles before it until one has published its prefix: a chain of
// flags between blocks. Blocks take their tiles from a counter, so that those before are running.
#include "gpu/kernels/kernel_program.h"
#include "gpu/lookback_shape.h"

namespace pnsim::gpu {
namespace {

// Of a tile: the state in the upper half, the number in the lower.
constexpr unsigned long long kSum = 1ull << 32, kPrefix = 2ull << 32;
constexpr unsigned kMostLooks = 1u << 26;  // then something is wrong: an error instead of a hang

struct LookbackArgs {
  const std::uint32_t* in;
  std::uint32_t* out;
  unsigned long long* tiles;  // and behind them the counter
  unsigned n, tile_count;
};

__device__ unsigned long long tile_state(const unsigned long long* tile) {
  unsigned long long state;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(state) : "l"(tile) : "memory");
  return state;
}

__device__ void publish(unsigned long long* tile, unsigned long long state) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(tile), "l"(state) : "memory");
}

__device__ std::uint32_t scan_of_warp(std::uint32_t x) {
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    const std::uint32_t before = __shfl_up_sync(0xffffffffu, x, step);
    if (threadIdx.x % 32 >= step) x += before;
  }
  return x;
}

// The sum of all tiles before this one. Each lane of a warp looks at one of them.
__device__ std::uint32_t look_back(const unsigned long long* tiles, int tile) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  std::uint32_t sum = 0;
  for (int nearest = tile - 1;; nearest -= 32) {
    unsigned long long state = kPrefix;  // before the first tile: 0
    if (nearest - lane >= 0) {
      unsigned looks = 0;
      do {
        state = tile_state(tiles + nearest - lane);
        if (++looks == kMostLooks) __trap();
      } while (state < kSum);
    }
    const unsigned prefixes = __ballot_sync(0xffffffffu, state >= kPrefix);
    const int last = prefixes == 0 ? 31 : __ffs(static_cast<int>(prefixes)) - 1;
    std::uint32_t of_lanes = lane <= last ? static_cast<std::uint32_t>(state) : 0u;
#pragma unroll
    for (int mask = 16; mask > 0; mask /= 2)
      of_lanes += __shfl_xor_sync(0xffffffffu, of_lanes, mask);
    sum += of_lanes;
    if (prefixes != 0) return sum;
  }
}

}  // namespace
}  // namespace pnsim::gpu

extern "C" __global__ void lookback_scan_clear(pnsim::gpu::LookbackArgs args) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= args.tile_count) args.tiles[i] = 0;
}

extern "C" __global__ void lookback_scan(pnsim::gpu::LookbackArgs args) {
  using namespace pnsim::gpu;
  __shared__ std::uint32_t of_warps[32], tile_number, before_tile;
  if (threadIdx.x == 0)
    tile_number = static_cast<unsigned>(atomicAdd(args.tiles + args.tile_count, 1ull));
  __syncthreads();
  const unsigned tile = tile_number;
  const unsigned first = (tile * blockDim.x + threadIdx.x) * kScannedPerThread;
  std::uint32_t word[kScannedPerThread], sum = 0;
#pragma unroll
  for (unsigned i = 0; i < kScannedPerThread; ++i) {
    sum += first + i < args.n ? args.in[first + i] : 0;
    word[i] = sum;
  }
  const std::uint32_t in_warp = scan_of_warp(sum);
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (lane == 31) of_warps[warp] = in_warp;
  __syncthreads();
  if (warp == 0) {
    const std::uint32_t all = scan_of_warp(lane < blockDim.x / 32 ? of_warps[lane] : 0);
    const std::uint32_t of_tile = __shfl_sync(0xffffffffu, all, 31);
    of_warps[lane] = all;
    if (lane == 0) publish(args.tiles + tile, (tile == 0 ? kPrefix : kSum) | of_tile);
    const std::uint32_t before = tile == 0 ? 0 : look_back(args.tiles, static_cast<int>(tile));
    if (lane == 0) {
      publish(args.tiles + tile, kPrefix | (before + of_tile));
      before_tile = before;
    }
  }
  __syncthreads();
  const std::uint32_t before = before_tile + (warp == 0 ? 0 : of_warps[warp - 1]) + in_warp - sum;
#pragma unroll
  for (unsigned i = 0; i < kScannedPerThread; ++i) {
    if (first + i < args.n) args.out[first + i] = before + word[i];
  }
}

namespace pnsim::gpu {
namespace {

unsigned tiles_of(const AxisValues& axes) {
  const unsigned tile = unsigned_of(axes, "block") * kScannedPerThread;
  return (unsigned_of(axes, "n") + tile - 1) / tile;
}

std::size_t scratch(const AxisValues& axes) { return 2 * (std::size_t{tiles_of(axes)} + 1); }

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const LookbackArgs args = {buffers.source, buffers.target,
                             reinterpret_cast<unsigned long long*>(buffers.scratch),
                             unsigned_of(axes, "n"), tiles_of(axes)};
  const unsigned block = unsigned_of(axes, "block");
  return {{"lookback_scan_clear",
           reinterpret_cast<const void*>(lookback_scan_clear),
           {args.tile_count / block + 1},
           {block},
           0,
           args},
          {"lookback_scan",
           reinterpret_cast<const void*>(lookback_scan),
           {args.tile_count},
           {block},
           0,
           args}};
}

[[maybe_unused]] const bool kRegistered = register_program({"lookback_scan", scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
