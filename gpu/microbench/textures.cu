// Fetches through a linear texture: the rate by access pattern, and the latency of a fetch that
// misses L1.
#include <numeric>
#include <random>

#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kRounds = 64, kFetches = 16, kUnroll = 8;

// `step` is 0, which only the host knows, so the compiler cannot merge the fetches of different
// rounds.
__global__ void fetches(cudaTextureObject_t texture, int stride, int step, std::uint32_t* sink,
                        long long* cycles) {
  int at = static_cast<int>(threadIdx.x % 32) * stride;
  std::uint32_t sum[kFetches] = {};
  for (int i = 0; i < kFetches; ++i) sum[i] += tex1Dfetch<unsigned>(texture, at + i);  // fills L1
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round, at += step) {
#pragma unroll
    for (int i = 0; i < kFetches; ++i) sum[i] += tex1Dfetch<unsigned>(texture, at + i);
  }
  __syncthreads();
  const long long stop = clock64();
  for (int i = 1; i < kFetches; ++i) sum[0] += sum[i];
  sink[threadIdx.x] = sum[0];
  if (threadIdx.x == 0) cycles[0] = stop - start;
}

std::vector<MicroValue> run_rate(Bench& bench) {
  std::vector<MicroValue> out;
  DeviceWords words(32 * 32 + kFetches);
  words.upload(std::vector<std::uint32_t>(words.size(), 1));
  const LinearTexture texture(words);
  for (const int warps : {1, 4, 16, 32}) {
    for (const int stride : {0, 1, 2, 4, 8, 16, 32}) {
      const Sampled s = sample(
          [&] {
            return bench.cycles_of([&] {
              fetches<<<1, 32 * warps, 0, bench.stream()>>>(texture.get(), stride, 0, bench.sink(),
                                                            bench.cycles());
            });
          },
          7);
      bench.add(out, "texture_rate", {{"stride_words", "", stride}, {"warps", "", warps}}, s,
                "cycle/warp fetch", 1.0 / (warps * kRounds * kFetches));
    }
  }
  return out;
}

__global__ void follow(cudaTextureObject_t texture, std::uint32_t at, int warm, int steps,
                       std::uint32_t* sink, long long* cycles) {
#pragma unroll 1
  for (int i = 0; i < warm; ++i) at = tex1Dfetch<unsigned>(texture, static_cast<int>(at));
  const long long start = clock64() + (at >> 31);
#pragma unroll 1
  for (int i = 0; i < steps; i += kUnroll) {
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) at = tex1Dfetch<unsigned>(texture, static_cast<int>(at));
  }
  sink[0] = at;
  cycles[0] = clock64() - start;
}

std::vector<MicroValue> run_hit(Bench& bench) {
  constexpr int kWords = 1024, kSteps = 4096;
  std::vector<std::uint32_t> next(kWords);
  for (int i = 0; i < kWords; ++i) next[static_cast<std::size_t>(i)] = (i + 33u) % kWords;
  DeviceWords words(kWords);
  words.upload(next);
  const LinearTexture texture(words);
  const Sampled s = sample([&] {
    return bench.cycles_of([&] {
      follow<<<1, 1, 0, bench.stream()>>>(texture.get(), 0, kSteps, kSteps, bench.sink(),
                                          bench.cycles());
    });
  });
  std::vector<MicroValue> out;
  bench.add(out, "latency_texture", {}, s, "cycle", 1.0 / kSteps);
  return out;
}

// A ring of lines in random order (seed 1), with a footprint that stays in L1 or in L2.
std::vector<MicroValue> run_lines(Bench& bench) {
  constexpr int kSteps = 4096, kLineWords = 32;
  std::vector<MicroValue> out;
  for (const int kib : {8, 8192}) {
    const int lines = kib * 1024 / (4 * kLineWords);
    std::vector<int> order(static_cast<std::size_t>(lines));
    std::iota(order.begin(), order.end(), 0);
    std::mt19937 random(1);
    std::shuffle(order.begin(), order.end(), random);
    std::vector<std::uint32_t> next(static_cast<std::size_t>(lines) * kLineWords);
    for (std::size_t i = 0; i < order.size(); ++i) {
      next[static_cast<std::size_t>(order[i]) * kLineWords] =
          static_cast<std::uint32_t>(order[(i + 1) % order.size()] * kLineWords);
    }
    DeviceWords words(next.size());
    words.upload(next);
    const LinearTexture texture(words);
    const Sampled s = sample([&] {
      return bench.cycles_of([&] {
        follow<<<1, 1, 0, bench.stream()>>>(texture.get(),
                                            static_cast<std::uint32_t>(order[0] * kLineWords),
                                            lines, kSteps, bench.sink(), bench.cycles());
      });
    });
    bench.add(out, "texture_lines", {{"footprint_kib", "", kib}}, s, "cycle", 1.0 / kSteps);
  }
  return out;
}

const bool kRegistered = register_microbenchmark("texture_rate", run_rate) &&
                         register_microbenchmark("latency_texture", run_hit) &&
                         register_microbenchmark("texture_lines", run_lines);

}  // namespace
}  // namespace pnsim::gpu
