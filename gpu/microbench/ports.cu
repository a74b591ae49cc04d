// The ports of shared memory and L1 of one SM, by access pattern.
#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kPortWarps = 16;
constexpr int kPortRounds = 64;
constexpr int kPortLoads = 16;

__global__ void shared_loads(int stride, std::uint32_t* sink, long long* cycles) {
  __shared__ std::uint32_t words[32 * 32 + kPortLoads];
  for (unsigned i = threadIdx.x; i < 32 * 32 + kPortLoads; i += blockDim.x) words[i] = i;
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  const auto at = static_cast<std::uint32_t>(__cvta_generic_to_shared(words)) +
                  4u * ((lane * static_cast<unsigned>(stride)) % (32u * 32u));
  std::uint32_t sum[kPortLoads] = {};
  const long long start = clock64();
#pragma unroll 1
  for (int round = 0; round < kPortRounds; ++round) {
#pragma unroll
    for (int i = 0; i < kPortLoads; ++i) {
      std::uint32_t value;
      asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(value) : "r"(at + 4u * i));
      sum[i] += value;
    }
  }
  __syncthreads();
  const long long stop = clock64();
  for (int i = 1; i < kPortLoads; ++i) sum[0] += sum[i];
  sink[threadIdx.x] = sum[0];
  if (threadIdx.x == 0) cycles[0] = stop - start;
}

// `step` is 0, which only the host knows, so the compiler cannot merge the loads of different
// rounds.
__global__ void l1_loads(const std::uint32_t* words, int stride, int step, std::uint32_t* sink,
                         long long* cycles) {
  const unsigned lane = threadIdx.x % 32;
  const std::uint32_t* at = words + lane * static_cast<unsigned>(stride);
  std::uint32_t sum[kPortLoads] = {};
  for (int i = 0; i < kPortLoads; ++i) sum[i] += __ldca(at + i);  // fills L1
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int round = 0; round < kPortRounds; ++round, at += step) {
#pragma unroll
    for (int i = 0; i < kPortLoads; ++i) {
      std::uint32_t value;
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(at + i));
      sum[i] += value;
    }
  }
  __syncthreads();
  const long long stop = clock64();
  for (int i = 1; i < kPortLoads; ++i) sum[0] += sum[i];
  sink[threadIdx.x] = sum[0];
  if (threadIdx.x == 0) cycles[0] = stop - start;
}

// Every load has its own address, computed before it as the compiler does for an index.
__global__ void l1_indexed(const std::uint32_t* words, std::uint32_t stride, std::uint32_t* sink,
                           long long* cycles) {
  std::uint32_t sum[kPortLoads] = {}, index = threadIdx.x % 32;
  for (int i = 0; i < kPortLoads; ++i) sum[i] += __ldca(words + index + i);  // fills L1
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int round = 0; round < kPortRounds; ++round) {
#pragma unroll
    for (int i = 0; i < kPortLoads; ++i) {
      std::uint32_t value;
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(words + index));
      sum[i] += value;
      index += stride;
    }
  }
  __syncthreads();
  const long long stop = clock64();
  for (int i = 1; i < kPortLoads; ++i) sum[0] += sum[i];
  sink[threadIdx.x] = sum[0];
  if (threadIdx.x == 0) cycles[0] = stop - start;
}

// Random words of a table in L1; `words` is a power of two. The random generator is the one of
// Numerical Recipes.
__global__ void l1_table(const std::uint32_t* table, std::uint32_t words, std::uint32_t* sink,
                         long long* cycles) {
  std::uint32_t sum[kPortLoads] = {};
  std::uint32_t random = 0x9E3779B9u * (threadIdx.x + 1);
  for (std::uint32_t i = threadIdx.x; i < words; i += blockDim.x) sum[0] += __ldca(table + i);
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int round = 0; round < kPortRounds; ++round) {
#pragma unroll
    for (int i = 0; i < kPortLoads; ++i) {
      random = random * 1664525u + 1013904223u;
      std::uint32_t value;
      asm volatile("ld.global.ca.u32 %0, [%1];"
                   : "=r"(value)
                   : "l"(table + (random >> 10 & (words - 1))));
      sum[i] += value;
    }
  }
  __syncthreads();
  const long long stop = clock64();
  for (int i = 1; i < kPortLoads; ++i) sum[0] += sum[i];
  sink[threadIdx.x] = sum[0];
  if (threadIdx.x == 0) cycles[0] = stop - start;
}

constexpr double kPerLoad = 1.0 / (kPortWarps * kPortRounds * kPortLoads);

std::vector<MicroValue> run_shared_stride(Bench& bench) {
  std::vector<MicroValue> out;
  for (int stride = 0; stride <= 33; ++stride) {
    const Sampled s = sample(
        [&] {
          return bench.cycles_of([&] {
            shared_loads<<<1, 32 * kPortWarps, 0, bench.stream()>>>(stride, bench.sink(),
                                                                    bench.cycles());
          });
        },
        7);
    bench.add(out, "shared_stride", {{"stride_words", "", stride}}, s, "cycle/warp load", kPerLoad);
  }
  return out;
}

std::vector<MicroValue> run_l1_stride(Bench& bench) {
  std::vector<MicroValue> out;
  DeviceWords words(32 * 32 + kPortLoads);
  words.upload(std::vector<std::uint32_t>(words.size(), 1));
  for (int stride = 0; stride <= 32; ++stride) {
    const Sampled s = sample(
        [&] {
          return bench.cycles_of([&] {
            l1_loads<<<1, 32 * kPortWarps, 0, bench.stream()>>>(words.get(), stride, 0,
                                                                bench.sink(), bench.cycles());
          });
        },
        7);
    bench.add(out, "l1_stride", {{"stride_words", "", stride}}, s, "cycle/warp load", kPerLoad);
  }
  return out;
}

std::vector<MicroValue> run_l1_tables(Bench& bench) {
  std::vector<MicroValue> out;
  constexpr int kWarps = 32;
  const DeviceWords table(std::size_t{1} << 15);
  for (const std::uint32_t kib : {1u, 4u, 16u, 64u, 128u}) {
    const Sampled s = sample(
        [&] {
          return bench.cycles_of([&] {
            l1_table<<<1, 32 * kWarps, 0, bench.stream()>>>(table.get(), kib * 256, bench.sink(),
                                                            bench.cycles());
          });
        },
        7);
    bench.add(out, "l1_tables", {{"table_kib", "", static_cast<std::int64_t>(kib)}}, s,
              "cycle/warp load", 1.0 / (kWarps * kPortRounds * kPortLoads));
  }
  return out;
}

std::vector<MicroValue> run_l1_indexed(Bench& bench) {
  std::vector<MicroValue> out;
  DeviceWords words(32 * 32 + kPortLoads);
  words.upload(std::vector<std::uint32_t>(words.size(), 1));
  for (const int warps : {1, 4, 8, 16, 32}) {
    const Sampled s = sample(
        [&] {
          return bench.cycles_of([&] {
            l1_indexed<<<1, 32 * warps, 0, bench.stream()>>>(words.get(), 0, bench.sink(),
                                                             bench.cycles());
          });
        },
        7);
    bench.add(out, "l1_indexed", {{"warps", "", warps}}, s, "cycle/warp load",
              1.0 / (warps * kPortRounds * kPortLoads));
  }
  return out;
}

const bool kRegistered = register_microbenchmark("l1_indexed", run_l1_indexed) &&
                         register_microbenchmark("l1_tables", run_l1_tables) &&
                         register_microbenchmark("shared_stride", run_shared_stride) &&
                         register_microbenchmark("l1_stride", run_l1_stride);

}  // namespace
}  // namespace pnsim::gpu
