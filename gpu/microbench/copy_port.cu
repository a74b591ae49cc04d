// What an asynchronous copy costs the port of shared memory and L1: copies among loads of shared
// memory, which use the same port. With many loads to each copy the port never idles, and what the
// pair takes beyond the loads is the cost of the copy.
#include "gpu/microbench/bench.cuh"
#include "gpu/ptx/async_copy.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kWarps = 16, kCopies = 4;  // a warp's copies of a group
constexpr int kPending = 3, kRounds = 256;
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

template <int kBytes, int kLoads>
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
  for (int round = 0; round < kRounds; ++round) {
#pragma unroll
    for (int i = 0; i < kCopies; ++i) {
      copy_async<kBytes>(to + kPiece * (i % 2), from + at + 1024 * i);
#pragma unroll
      for (int k = 0; k < kLoads; ++k) sum[k % 8] += load_shared(from_shared);
    }
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

template <int kBytes, int kLoads>
void add(Bench& bench, const DeviceWords& words, const char* level, int row_pitch,
         std::vector<MicroValue>& out) {
  const unsigned span = std::string_view(level) == "l1" ? 8u << 10 : 128u << 10;
  const Sampled s = sample(
      [&] {
        return bench.cycles_of([&] {
          copies_among_loads<kBytes, kLoads><<<1, 32 * kWarps, 0, bench.stream()>>>(
              words.get(), static_cast<unsigned>(row_pitch), span, bench.sink(), bench.cycles());
        });
      },
      7);
  bench.add(out, "copy_port",
            {{"bytes_per_thread", "", kBytes},
             {"level", level},
             {"row_pitch_bytes", "", row_pitch},
             {"loads", "", kLoads}},
            s, "cycle/copy", 1.0 / (kWarps * kCopies * kRounds));
}

template <int kBytes>
void add_loads(Bench& bench, const DeviceWords& words, const char* level, int row_pitch,
               std::vector<MicroValue>& out) {
  add<kBytes, 0>(bench, words, level, row_pitch, out);
  add<kBytes, 8>(bench, words, level, row_pitch, out);
  add<kBytes, 32>(bench, words, level, row_pitch, out);
}

std::vector<MicroValue> run(Bench& bench) {
  std::vector<MicroValue> out;
  if (!bench.has_capability(80, "cp.async")) return out;
  DeviceWords words(kWords);
  words.fill(0, bench.stream());
  constexpr int kDense = 64, kApart = 256;
  for (const char* level : {"l1", "l2"}) {
    add_loads<4>(bench, words, level, kDense, out);
    add_loads<8>(bench, words, level, kDense, out);
  }
  add_loads<16>(bench, words, "l2", kDense, out);
  add_loads<16>(bench, words, "l2", kApart, out);
  return out;
}

const bool kRegistered = register_microbenchmark("copy_port", run);

}  // namespace
}  // namespace pnsim::gpu
