// The rate of double-precision multiply-adds on one SM. GPUs without a full FP64 pipe execute them
// up to 64 times slower than single-precision ones.
#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kChains = 8;
constexpr int kRounds = 16;
constexpr int kUnroll = 16;

// Independent chains per thread, so that no multiply-add waits for another one's result.
__global__ void double_rate(double x, double factor, double summand, std::uint32_t* sink,
                            long long* cycles) {
  double chain[kChains];
  for (int c = 0; c < kChains; ++c) chain[c] = x + threadIdx.x + c;
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
#pragma unroll
      for (int c = 0; c < kChains; ++c) chain[c] = fma(chain[c], factor, summand);
    }
  }
  __syncthreads();
  const long long stop = clock64();
  for (int c = 1; c < kChains; ++c) chain[0] += chain[c];
  sink[threadIdx.x] = static_cast<std::uint32_t>(chain[0]);
  if (threadIdx.x == 0) cycles[0] = stop - start;
}

std::vector<MicroValue> run(Bench& bench) {
  std::vector<MicroValue> out;
  for (const int warps : {1, 4, 16, 32}) {
    Sampled s = sample(
        [&] {
          return bench.cycles_of([&] {
            double_rate<<<1, 32 * warps, 0, bench.stream()>>>(1.0, 1.0, 1e-8, bench.sink(),
                                                              bench.cycles());
          });
        },
        7);
    s.median = static_cast<double>(warps) * kChains * kRounds * kUnroll / s.median;
    bench.add(out, "fp64_rate", {{"warps", "", warps}}, s, "warp instruction/cycle");
  }
  return out;
}

const bool kRegistered = register_microbenchmark("fp64_rate", run);

}  // namespace
}  // namespace pnsim::gpu
