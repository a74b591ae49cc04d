// Synchronisation between blocks of one launch: barriers of the whole grid, and a chain in which
// each block waits for the flag of the block before. All blocks are resident, and every spin is
// bounded: a block that waits in vain gives up and reports it.
#include <cooperative_groups.h>

#include "gpu/microbench/bench.cuh"
#include "simulator/base/error.h"

namespace pnsim::gpu {
namespace {

constexpr int kBarriers = 64, kChainRounds = 4;
constexpr std::uint32_t kMostSpins = 1u << 20;
constexpr long long kGaveUp = -1;

__global__ void grid_syncs(std::uint32_t* sink, long long* cycles) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  grid.sync();
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < kBarriers; ++i) grid.sync();
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - begin;
  sink[threadIdx.x] = threadIdx.x;
}

__device__ std::uint32_t load_acquire(const std::uint32_t* word) {
  std::uint32_t value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}

// Waits until the counter has reached the target; false when it gives up.
__device__ bool wait_for(const std::uint32_t* counter, std::uint32_t target) {
  for (std::uint32_t i = 0; i < kMostSpins; ++i) {
    if (load_acquire(counter) >= target) return true;
  }
  return false;
}

// One atomic addition per block, then a spin until all have come. The counter begins at 0.
__global__ void counted_barriers(std::uint32_t* counter, std::uint32_t* sink, long long* cycles) {
  __shared__ bool has_come;
  long long begin = 0;
  bool all_came = true;
#pragma unroll 1
  for (int i = 0; i <= kBarriers; ++i) {
    __syncthreads();
    if (i == 1) begin = clock64();  // the first barrier only aligns the blocks
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(counter, 1u);
      has_come = wait_for(counter, gridDim.x * static_cast<std::uint32_t>(i + 1));
    }
    __syncthreads();
    if (!has_come) {
      all_came = false;
      break;
    }
  }
  if (threadIdx.x == 0) cycles[blockIdx.x] = all_came ? clock64() - begin : kGaveUp;
  sink[threadIdx.x] = threadIdx.x;
}

// Block b waits until the flag of block b - 1 has the number of the round, then stores its own.
// The last block's flag starts the next round. The flags begin at 0. Block 0 counts the cycles from
// the second round's start to the last one's: kChainRounds - 1 rounds.
__global__ void chain(std::uint32_t* flags, std::uint32_t* sink, long long* cycles) {
  if (threadIdx.x != 0) return;
  const std::uint32_t blocks = gridDim.x;
  const std::uint32_t* const before = flags + 32 * ((blockIdx.x + blocks - 1) % blocks);
  std::uint32_t* const own = flags + 32 * blockIdx.x;
  long long begin = 0;
  for (std::uint32_t round = 1; round <= kChainRounds + 1; ++round) {
    const std::uint32_t wanted = blockIdx.x == 0 ? round - 1 : round;
    if (!wait_for(before, wanted)) {
      cycles[blockIdx.x] = kGaveUp;
      return;
    }
    if (round == 2) begin = clock64();
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(own), "r"(round) : "memory");
  }
  cycles[blockIdx.x] = clock64() - begin;
  sink[0] = blocks;
}

// Blocks of this size that fit on an SM.
template <class Kernel>
int most_blocks(Kernel kernel, int threads) {
  int blocks = 0;
  PNSIM_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0));
  return blocks;
}

// A cooperative launch, which fails instead of waiting when not all blocks are resident.
double cycles_of_resident(Bench& bench, const void* kernel, int blocks, int threads,
                          void** arguments) {
  const double cycles = bench.cycles_of([&] {
    PNSIM_CUDA(cudaLaunchCooperativeKernel(kernel, dim3(static_cast<unsigned>(blocks)),
                                           dim3(static_cast<unsigned>(threads)), arguments, 0,
                                           bench.stream()));
  });
  if (cycles == kGaveUp) {
    fail_unavailable(
        "a block waited in vain for another one: the GPU did not run all blocks of a "
        "cooperative launch at once; stop other work on the GPU and try again");
  }
  return cycles;
}

std::vector<MicroValue> run_grid(Bench& bench) {
  std::vector<MicroValue> out;
  DeviceWords counter(1);
  std::uint32_t* words = counter.get();
  std::uint32_t* sink = bench.sink();
  long long* cycles = bench.cycles();
  for (const int threads : {64, 256, 1024}) {
    for (const int per_sm : {1, 2, 4, 8}) {
      const std::vector<MicroSetting> shape{{"blocks_per_sm", "", per_sm},
                                            {"threads", "", threads}};
      const auto add = [&](const char* kind, const void* kernel, int most, void** arguments) {
        if (per_sm > most) return;
        const Sampled s = sample(
            [&] {
              counter.fill(0, bench.stream());
              return cycles_of_resident(bench, kernel, per_sm * bench.sms(), threads, arguments);
            },
            5);
        std::vector<MicroSetting> settings = shape;
        settings.insert(settings.begin(), {"kind", kind});
        bench.add(out, "grid_barrier", std::move(settings), s, "cycle", 1.0 / kBarriers);
      };
      void* two[] = {&sink, &cycles};
      add("grid_sync", reinterpret_cast<const void*>(grid_syncs), most_blocks(grid_syncs, threads),
          two);
      void* three[] = {&words, &sink, &cycles};
      add("atomic_and_spin", reinterpret_cast<const void*>(counted_barriers),
          most_blocks(counted_barriers, threads), three);
    }
  }
  return out;
}

std::vector<MicroValue> run_chain(Bench& bench) {
  std::vector<MicroValue> out;
  DeviceWords flags(32u * 8u * static_cast<unsigned>(bench.sms()));
  std::uint32_t* words = flags.get();
  std::uint32_t* sink = bench.sink();
  long long* cycles = bench.cycles();
  void* arguments[] = {&words, &sink, &cycles};
  for (const int per_sm : {1, 2, 4, 8}) {
    const int blocks = per_sm * bench.sms();
    const Sampled s = sample(
        [&] {
          flags.fill(0, bench.stream());
          return cycles_of_resident(bench, reinterpret_cast<const void*>(chain), blocks, 32,
                                    arguments);
        },
        5);
    bench.add(out, "flag_chain", {{"blocks_per_sm", "", per_sm}}, s, "cycle/block",
              1.0 / (static_cast<double>(kChainRounds - 1) * blocks));
  }
  return out;
}

const bool kRegistered = register_microbenchmark("grid_barrier", run_grid) &&
                         register_microbenchmark("flag_chain", run_chain);

}  // namespace
}  // namespace pnsim::gpu
