// Times of one kind of instruction: its latency in a dependent chain, and the cycles that it
// occupies a scheduler when independent ones are issued.
//
// An operation is a struct with
//   State                       the registers of one chain
//   start(state, seed)          before the clock
//   step(state)                 the measured instructions: they read the state and write it
//   word(state)                 a word that depends on the state, so that nothing is optimised away
// Steps must be volatile assembly. Two runs of different length are subtracted, so that what a run
// costs beside its steps cancels.
#pragma once

#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {

template <class Op, int kChains, int kStepsPerRound>
__global__ void unit_steps(std::uint32_t seed, int rounds, std::uint32_t* sink, long long* cycles) {
  typename Op::State state[kChains];
#pragma unroll
  for (int c = 0; c < kChains; ++c)
    Op::start(state[c], seed + static_cast<std::uint32_t>(c) * (seed & 1u));
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int s = 0; s < kStepsPerRound; ++s) {
#pragma unroll
      for (int c = 0; c < kChains; ++c) Op::step(state[c]);
    }
  }
  __syncthreads();
  const long long end = clock64();
  std::uint32_t word = 0;
#pragma unroll
  for (int c = 0; c < kChains; ++c) word ^= Op::word(state[c]);
  sink[threadIdx.x % 1024] = word;
  if (threadIdx.x == 0) cycles[blockIdx.x] = end - begin;
}

constexpr int kUnitRounds = 32;

// Cycles of kSteps steps, without those of the loop around them: a loop of twice as many steps less
// a loop of kSteps.
template <class Op, int kChains, int kSteps>
Sampled cycles_of_steps(Bench& bench, unsigned threads) {
  constexpr std::uint32_t kSeed = 0;  // the compiler does not know it
  Sampled s = sample(
      [&] {
        const double once = bench.cycles_of([&] {
          unit_steps<Op, kChains, kSteps>
              <<<1, threads, 0, bench.stream()>>>(kSeed, kUnitRounds, bench.sink(), bench.cycles());
        });
        return bench.cycles_of([&] {
          unit_steps<Op, kChains, 2 * kSteps>
              <<<1, threads, 0, bench.stream()>>>(kSeed, kUnitRounds, bench.sink(), bench.cycles());
        }) - once;
      },
      7);
  s.median /= kUnitRounds;
  return s;
}

// Cycles from a step to the next, which depends on it.
template <class Op, int kSteps = 128>
void add_unit_latency(Bench& bench, const char* name, std::vector<MicroSetting> settings,
                      std::vector<MicroValue>& out) {
  bench.add(out, name, std::move(settings), cycles_of_steps<Op, 1, kSteps>(bench, 32), "cycle",
            1.0 / kSteps);
}

// Cycles of a scheduler per step, with 1, 2, 3, 4 and 8 warps on each of the four.
template <class Op, int kChains = 4, int kSteps = 16>
void add_unit_rate(Bench& bench, const char* name, const std::vector<MicroSetting>& settings,
                   std::vector<MicroValue>& out) {
  cudaFuncAttributes kernel{};
  PNSIM_CUDA(cudaFuncGetAttributes(&kernel, unit_steps<Op, kChains, 2 * kSteps>));
  for (const int warps : {1, 2, 3, 4, 8}) {
    if (128 * warps > kernel.maxThreadsPerBlock) continue;  // too many registers
    const Sampled s =
        cycles_of_steps<Op, kChains, kSteps>(bench, 128u * static_cast<unsigned>(warps));
    std::vector<MicroSetting> all = settings;
    all.push_back({"warps_per_scheduler", "", warps});
    bench.add(out, name, std::move(all), s, "cycle/step", 1.0 / (kChains * kSteps * warps));
  }
}

}  // namespace pnsim::gpu
