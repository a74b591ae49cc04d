// Synchronisation within a block without __syncthreads: barriers in shared memory (mbarrier) and
// named barriers, which a part of the warps uses.
#include "gpu/microbench/bench.cuh"
#include "gpu/ptx/async_copy.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kRounds = 512;

enum class Single { kArrive, kTestPassed, kArriveAndWait };

// One warp, one lane. A phase that has passed can be tested repeatedly.
template <Single what>
__global__ void single(std::uint32_t* sink, long long* cycles) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  __shared__ __align__(8) std::uint64_t barriers[2];
  const std::uint32_t barrier = shared_address(barriers);
  // Arrivals alone must not complete a phase: 2^20 - 1 are the most that a barrier counts.
  init_barrier(barrier, what == Single::kArrive ? (1u << 20) - 1 : 1);
  if (what == Single::kTestPassed) arrive(barrier);
  std::uint32_t passed = 0;
  const long long begin = clock64();
#pragma unroll 1
  for (int round = 0; round < kRounds / 8; ++round) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      if (what == Single::kArrive) arrive(barrier);
      if (what == Single::kTestPassed) passed += has_passed(barrier, 0);
      if (what == Single::kArriveAndWait) {
        arrive(barrier);
        wait_for_phase(barrier, i % 2);
      }
    }
  }
  cycles[0] = clock64() - begin;
  sink[0] = passed;
#endif
}

// Warp 0 produces, the others consume. The producer arrives at `full`, each consumer waits for it
// and arrives at `empty`, for which the producer waits.
__global__ void handoff(unsigned consumers, std::uint32_t* sink, long long* cycles) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  __shared__ __align__(8) std::uint64_t barriers[2];
  const std::uint32_t full = shared_address(barriers), empty = full + 8;
  if (threadIdx.x == 0) {
    init_barrier(full, 1);
    init_barrier(empty, consumers);
  }
  __syncthreads();
  const bool produces = threadIdx.x < 32, leads = threadIdx.x % 32 == 0;
  const long long begin = clock64();
#pragma unroll 1
  for (unsigned round = 0; round < kRounds; ++round) {
    if (produces) {
      if (leads) arrive(full);
      wait_for_phase(empty, round % 2);
    } else {
      wait_for_phase(full, round % 2);
      if (leads) arrive(empty);
    }
  }
  if (threadIdx.x == 0) cycles[0] = clock64() - begin;
  sink[threadIdx.x] = full;
#endif
}

// Warps of the first `threads` meet in named barrier 1; the others do not take part.
__global__ void named(int threads, std::uint32_t* sink, long long* cycles) {
  const long long begin = clock64();
  if (static_cast<int>(threadIdx.x) < threads) {
#pragma unroll 1
    for (int round = 0; round < kRounds / 8; ++round) {
#pragma unroll
      for (int i = 0; i < 8; ++i) asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");
    }
  }
  if (threadIdx.x == 0) cycles[0] = clock64() - begin;
  sink[threadIdx.x % 1024] = threadIdx.x;
}

// A handoff by two named barriers: the producer arrives at one and waits at the other.
__global__ void named_handoff(std::uint32_t* sink, long long* cycles) {
  const int threads = static_cast<int>(blockDim.x);
  const bool produces = threadIdx.x < 32;
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
    if (produces) {
      asm volatile("bar.arrive 1, %0;" ::"r"(threads) : "memory");
      asm volatile("bar.sync 2, %0;" ::"r"(threads) : "memory");
    } else {
      asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");
      asm volatile("bar.arrive 2, %0;" ::"r"(threads) : "memory");
    }
  }
  if (threadIdx.x == 0) cycles[0] = clock64() - begin;
  sink[threadIdx.x % 1024] = threadIdx.x;
}

template <class Launch>
void add_rounds(Bench& bench, const char* name, std::vector<MicroSetting> settings,
                std::vector<MicroValue>& out, const Launch& launch) {
  bench.add(out, name, std::move(settings), sample([&] { return bench.cycles_of(launch); }),
            "cycle", 1.0 / kRounds);
}

std::vector<MicroValue> run_mbarrier(Bench& bench) {
  std::vector<MicroValue> out;
  if (!bench.has_capability(90, "mbarrier as measured here")) return out;
  const auto add = [&](const char* op, auto kernel) {
    add_rounds(bench, "mbarrier", {{"op", op}}, out,
               [&] { kernel<<<1, 1, 0, bench.stream()>>>(bench.sink(), bench.cycles()); });
  };
  add("arrive", single<Single::kArrive>);
  add("try_wait_passed", single<Single::kTestPassed>);
  add("arrive_and_wait", single<Single::kArriveAndWait>);
  for (const unsigned consumers : {1u, 2u, 4u, 8u, 12u}) {
    add_rounds(bench, "mbarrier", {{"op", "handoff_and_return"}, {"consumers", "", consumers}}, out,
               [&] {
                 handoff<<<1, 32 * (consumers + 1), 0, bench.stream()>>>(consumers, bench.sink(),
                                                                         bench.cycles());
               });
  }
  return out;
}

std::vector<MicroValue> run_named(Bench& bench) {
  std::vector<MicroValue> out;
  for (const int warps : {1, 2, 4, 8, 12}) {
    add_rounds(bench, "named_barrier", {{"op", "sync"}, {"warps", "", warps}}, out, [&] {
      named<<<1, 512, 0, bench.stream()>>>(32 * warps, bench.sink(), bench.cycles());
    });
  }
  for (const int consumers : {1, 4, 12}) {
    add_rounds(bench, "named_barrier", {{"op", "handoff_and_return"}, {"consumers", "", consumers}},
               out, [&] {
                 named_handoff<<<1, 32 * (consumers + 1), 0, bench.stream()>>>(bench.sink(),
                                                                               bench.cycles());
               });
  }
  return out;
}

const bool kRegistered = register_microbenchmark("mbarrier", run_mbarrier) &&
                         register_microbenchmark("named_barrier", run_named);

}  // namespace
}  // namespace pnsim::gpu
