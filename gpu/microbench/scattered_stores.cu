// How long stores whose lanes lie in lines of their own take L1's port from loads that hit L1.
#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kRounds = 64;
constexpr int kWarps = 16;
constexpr unsigned kRow = 32, kSectorWords = 8;  // words of a line and of a sector

// Not volatile accesses: these are ordered among each other, so a load waits for a store.
__device__ std::uint32_t load_word(const std::uint32_t* at) {
  std::uint32_t value;
  asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(at));
  return value;
}

template <int kBytes>
__device__ void store(std::uint32_t* at, std::uint32_t value) {
  if constexpr (kBytes == 2) {
    asm volatile("st.global.u16 [%0], %1;" ::"l"(at), "h"(static_cast<std::uint16_t>(value)));
  } else {
    asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(value));
  }
}

// Each lane has a line of its own. A round loads a word of each of `loads` sectors of it, and
// stores a word, or half of one, into another such line. The next round takes the next words.
template <int kBytes>
__global__ void loads_and_stores(const std::uint32_t* from, std::uint32_t* to, int loads,
                                 bool stores, long long* cycles, std::uint32_t* sink) {
  const std::uint32_t* row = from + threadIdx.x * kRow;
  std::uint32_t* stored = to + threadIdx.x * kRow;
  std::uint32_t sum = 0;
  for (unsigned word = 0; word < kRow; ++word) sum += load_word(row + word);  // fills L1
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (unsigned round = 0; round < kRounds; ++round) {
    for (unsigned i = 0; i < static_cast<unsigned>(loads); ++i)
      sum += load_word(row + (round + i * kSectorWords) % kRow);
    if (stores) store<kBytes>(stored + round % kSectorWords, sum);
  }
  __syncthreads();
  const long long stop = clock64();
  sink[threadIdx.x] = sum;
  if (threadIdx.x == 0) cycles[0] = stop - start;
}

template <int kBytes>
void add(Bench& bench, const DeviceWords& from, const DeviceWords& to, int loads, bool stores,
         std::vector<MicroValue>& out) {
  constexpr unsigned kThreads = 32 * kWarps;
  const Sampled s = sample(
      [&] {
        return bench.cycles_of([&] {
          loads_and_stores<kBytes><<<1, kThreads, 0, bench.stream()>>>(
              from.get(), to.get(), loads, stores, bench.cycles(), bench.sink());
        });
      },
      7);
  bench.add(out, "scattered_stores",
            {{"bytes_per_lane", "", kBytes}, {"loads", "", loads}, {"stores", "", stores ? 1 : 0}},
            s, "cycle/warp round", 1.0 / (kWarps * kRounds));
}

std::vector<MicroValue> run(Bench& bench) {
  std::vector<MicroValue> out;
  DeviceWords from(std::size_t{32} * kWarps * kRow), to(std::size_t{32} * kWarps * kRow);
  from.fill(0, bench.stream());
  to.fill(0, bench.stream());
  for (const int loads : {1, 2}) add<4>(bench, from, to, loads, false, out);
  for (const int loads : {0, 1, 2}) add<2>(bench, from, to, loads, true, out);
  for (const int loads : {0, 1, 2}) add<4>(bench, from, to, loads, true, out);
  return out;
}

const bool kRegistered = register_microbenchmark("scattered_stores", run);

}  // namespace
}  // namespace pnsim::gpu
