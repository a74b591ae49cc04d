// Constants whose index differs between the lanes (LDC): cycles by different addresses of a warp
// and by the size of the table. The table fills the constant memory of its module.
#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kTableWords = 16 * 1024;
__constant__ std::uint32_t kTable[kTableWords];  // zeros
constexpr int kSteps = 64;

// Each step adds the loaded word, 0, to the index, and goes on by `stride` in a table of a power of
// two words. Lanes begin `kTableWords / addresses` apart, so that `addresses` of them differ.
__global__ void chain(int addresses, int table_words, int stride, int rounds, std::uint32_t* sink,
                      long long* cycles) {
  const std::uint32_t mask = static_cast<std::uint32_t>(table_words) - 1;
  std::uint32_t at = threadIdx.x % 32 % static_cast<unsigned>(addresses) *
                         static_cast<unsigned>(table_words / addresses) +
                     threadIdx.x / 32 * 8;
  long long begin = 0;
#pragma unroll 1
  for (int round = -1; round < rounds; ++round) {  // the first round fills the caches
    if (round == 0) {
      __syncthreads();
      begin = clock64();
    }
#pragma unroll 4
    for (int i = 0; i < kSteps; ++i)
      at = (at + static_cast<std::uint32_t>(stride) + kTable[at & mask]);
  }
  const long long end = clock64() + (at >> 31);
  sink[threadIdx.x] = at;
  if (threadIdx.x == 0) cycles[0] = end - begin;
}

// Four independent chains per thread, for the rate.
__global__ void rate(int addresses, int table_words, int stride, int rounds, std::uint32_t* sink,
                     long long* cycles) {
  constexpr int kChains = 4;
  const std::uint32_t mask = static_cast<std::uint32_t>(table_words) - 1;
  std::uint32_t at[kChains];
  for (int c = 0; c < kChains; ++c) {
    at[c] = threadIdx.x % 32 % static_cast<unsigned>(addresses) *
                static_cast<unsigned>(table_words / addresses) +
            (threadIdx.x / 32 * kChains + static_cast<unsigned>(c)) * 8;
  }
  long long begin = 0;
#pragma unroll 1
  for (int round = -1; round < rounds; ++round) {
    if (round == 0) {
      __syncthreads();
      begin = clock64();
    }
#pragma unroll 4
    for (int i = 0; i < kSteps; ++i) {
#pragma unroll
      for (int c = 0; c < kChains; ++c)
        at[c] = at[c] + static_cast<std::uint32_t>(stride) + kTable[at[c] & mask];
    }
  }
  __syncthreads();
  const long long end = clock64();
  sink[threadIdx.x] = at[0] + at[1] + at[2] + at[3];
  if (threadIdx.x == 0 && blockIdx.x == 0) cycles[0] = end - begin;
}

constexpr int kRounds = 8;

struct Case {
  int addresses, table_kib, stride;
};

// Stride 0 repeats the same addresses, so all of them hit. Stride 17 walks through the table.
std::vector<Case> cases() {
  std::vector<Case> out;
  for (const int addresses : {1, 2, 4, 8, 16, 32}) out.push_back({addresses, 1, 0});
  for (const int kib : {1, 8, 64}) {
    for (const int addresses : {1, 8, 32}) out.push_back({addresses, kib, 17});
  }
  return out;
}

std::vector<MicroSetting> settings_of(const Case& one) {
  return {{"addresses", "", one.addresses},
          {"stride_words", "", one.stride},
          {"table_kib", "", one.table_kib}};
}

std::vector<MicroValue> run_latency(Bench& bench) {
  std::vector<MicroValue> out;
  for (const Case& one : cases()) {
    const Sampled s = sample(
        [&] {
          return bench.cycles_of([&] {
            chain<<<1, 32, 0, bench.stream()>>>(one.addresses, one.table_kib * 256, one.stride,
                                                kRounds, bench.sink(), bench.cycles());
          });
        },
        7);
    bench.add(out, "indexed_constant_latency", settings_of(one), s, "cycle",
              1.0 / (kSteps * kRounds));
  }
  return out;
}

std::vector<MicroValue> run_rate(Bench& bench) {
  std::vector<MicroValue> out;
  for (const Case& one : cases()) {
    for (const int warps : {4, 32}) {
      const Sampled s = sample(
          [&] {
            return bench.cycles_of([&] {
              rate<<<1, 32 * warps, 0, bench.stream()>>>(one.addresses, one.table_kib * 256,
                                                         one.stride, kRounds, bench.sink(),
                                                         bench.cycles());
            });
          },
          7);
      std::vector<MicroSetting> settings = settings_of(one);
      settings.push_back({"warps", "", warps});
      bench.add(out, "indexed_constant_rate", std::move(settings), s, "cycle/warp load",
                1.0 / (4.0 * warps * kSteps * kRounds));
    }
  }
  return out;
}

// 32 warps of one SM, or of each, read a table of 64 KiB, so that most requests miss the SM's
// constant cache (2 KiB): the cache behind it serves several SMs. Misses are not counted here, so a
// miss takes at least as long as a request of this loop.
std::vector<MicroValue> run_misses(Bench& bench) {
  constexpr int kAddresses = 32, kKib = 64, kStride = 17, kWarps = 32;
  std::vector<MicroValue> out;
  for (const int sms : {1, bench.sms()}) {
    const Sampled s = sample(
        [&] {
          return bench.cycles_of([&] {
            rate<<<sms, 32 * kWarps, 0, bench.stream()>>>(kAddresses, kKib * 256, kStride, kRounds,
                                                          bench.sink(), bench.cycles());
          });
        },
        7);
    bench.add(out, "constant_miss",
              {{"addresses", "", kAddresses}, {"sms", "", sms}, {"table_kib", "", kKib}}, s,
              "cycle/request", 1.0 / (4.0 * kAddresses * kWarps * kSteps * kRounds));
  }
  return out;
}

const bool kRegistered = register_microbenchmark("constant_miss", run_misses) &&
                         register_microbenchmark("indexed_constant_latency", run_latency) &&
                         register_microbenchmark("indexed_constant_rate", run_rate);

}  // namespace
}  // namespace pnsim::gpu
