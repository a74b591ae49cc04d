// What asynchronous copies, and the end of a group of them, cost the port of shared memory and L1:
// groups of copies among loads of shared memory, which use the same port. With many loads the port
// never idles, and what a group takes beyond its loads is the cost of its copies and of its end.
#include "gpu/microbench/bench.cuh"
#include "gpu/ptx/async_copy.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kWarps = 16, kPending = 3, kGroups = 256;
constexpr unsigned kWords = 64u << 10;  // 256 KiB: in L2, for copies that bypass L1

// Volatile: the assembler may merge other loads of one address.
__device__ std::uint32_t load_shared(std::uint32_t address) {
  std::uint32_t word = 0;
  asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(word) : "r"(address) : "memory");
  return word;
}

// Lanes copy neighbouring pieces, or pieces of rows of 64 bytes that lie `row_pitch` bytes apart.
template <int kBytes>
__device__ unsigned place_of_lane(unsigned row_pitch) {
  constexpr unsigned kRow = 64 / kBytes;  // lanes
  const unsigned lane = threadIdx.x % 32;
  return lane / kRow * row_pitch + lane % kRow * kBytes;
}

// Groups of copies of a warp, with loads behind each copy, or all behind the last.
template <int kBytes, int kCopies, int kLoads, bool kSpread>
__global__ void copies_among_loads(const std::uint32_t* words, unsigned row_pitch, unsigned span,
                                   std::uint32_t* sink, long long* cycles) {
  constexpr unsigned kPiece = 32 * kBytes;
  __shared__ __align__(128) unsigned char target[kPiece * kWarps * 2];
  __shared__ std::uint32_t read[32];
  const unsigned warp = threadIdx.x / 32;
  if (threadIdx.x < 32) read[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const std::uint32_t to = shared_address(target) + kPiece * 2 * warp + kBytes * (threadIdx.x % 32);
  const std::uint32_t from_shared = shared_address(read) + 4 * (threadIdx.x % 32);
  const char* const from = reinterpret_cast<const char*>(words) + place_of_lane<kBytes>(row_pitch);
  unsigned at = warp * 8192 % span;
  std::uint32_t sum[8] = {};
  const long long begin = clock64();
#pragma unroll 1
  for (int group = 0; group < kGroups; ++group) {
#pragma unroll
    for (int i = 0; i < kCopies; ++i) {
      copy_async<kBytes>(to + kPiece * (i % 2), from + at + 1024 * i);
      constexpr int kBehindEach = kSpread ? kLoads / kCopies : 0;
#pragma unroll
      for (int k = 0; k < kBehindEach; ++k) sum[k % 8] += load_shared(from_shared);
    }
    constexpr int kBehindAll = kSpread ? 0 : kLoads;
#pragma unroll
    for (int k = 0; k < kBehindAll; ++k) sum[k % 8] += load_shared(from_shared);
    commit_copies();
    wait_for_copies<kPending>();
    at = (at + 1024 * kCopies) % span;
  }
  wait_for_copies<0>();
  __syncthreads();
  const long long end = clock64();
  std::uint32_t all = target[threadIdx.x];
#pragma unroll
  for (const std::uint32_t one : sum) all += one;
  sink[threadIdx.x] = all;
  if (threadIdx.x == 0) cycles[0] = end - begin;
}

template <int kBytes, int kCopies, int kLoads, bool kSpread>
void add(Bench& bench, const DeviceWords& words, int row_pitch, std::vector<MicroValue>& out) {
  constexpr unsigned kSpan = 128u << 10;
  const Sampled s = sample(
      [&] {
        return bench.cycles_of([&] {
          copies_among_loads<kBytes, kCopies, kLoads, kSpread>
              <<<1, 32 * kWarps, 0, bench.stream()>>>(words.get(), static_cast<unsigned>(row_pitch),
                                                      kSpan, bench.sink(), bench.cycles());
        });
      },
      7);
  bench.add(out, "copy_port",
            {{"bytes_per_thread", "", kBytes},
             {"copies", "", kCopies},
             {"loads", "", kLoads},
             {"loads_are", kSpread ? "spread" : "behind"},
             {"row_pitch_bytes", "", row_pitch}},
            s, "cycle/group", 1.0 / (kWarps * kGroups));
}

template <int kBytes>
void add_groups(Bench& bench, const DeviceWords& words, int row_pitch,
                std::vector<MicroValue>& out) {
  constexpr int kLoads = 128;
  add<kBytes, 1, 0, true>(bench, words, row_pitch, out);
  add<kBytes, 4, 0, true>(bench, words, row_pitch, out);
  add<kBytes, 16, 0, true>(bench, words, row_pitch, out);
  add<kBytes, 1, kLoads, true>(bench, words, row_pitch, out);
  add<kBytes, 4, kLoads, true>(bench, words, row_pitch, out);
  add<kBytes, 16, kLoads, true>(bench, words, row_pitch, out);
  add<kBytes, 4, kLoads, false>(bench, words, row_pitch, out);
  add<kBytes, 16, kLoads, false>(bench, words, row_pitch, out);
}

std::vector<MicroValue> run(Bench& bench) {
  std::vector<MicroValue> out;
  if (!bench.has_capability(80, "cp.async")) return out;
  DeviceWords words(kWords);
  words.fill(0, bench.stream());
  constexpr int kDense = 64, kApart = 256;
  add_groups<4>(bench, words, kDense, out);
  add_groups<8>(bench, words, kDense, out);
  add_groups<16>(bench, words, kDense, out);
  add_groups<16>(bench, words, kApart, out);
  return out;
}

const bool kRegistered = register_microbenchmark("copy_port", run);

}  // namespace
}  // namespace pnsim::gpu
