// Which other loads a wait for a load takes: one warp follows pointers through words that hit L1,
// while a load of L2 is outstanding that was issued before the first of them, or behind it.
#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kChain = 8;  // loads that hit L1, each with the address from the one before
constexpr int kOrderRounds = 64;
constexpr unsigned kLineWords = 32;

enum class Order { kAlone, kBefore, kBehind };

__device__ std::uint32_t load_far(const std::uint32_t* at) {
  std::uint32_t value;
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(at));
  return value;
}

__device__ std::uint32_t load_near(const std::uint32_t* at) {
  std::uint32_t value;
  asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(at));
  return value;
}

// The words at `near` are 0, which only the host knows. Each round loads another line of `far`.
template <Order kOrder>
__global__ void chains(const std::uint32_t* near, const std::uint32_t* far, std::uint32_t* sink,
                       long long* cycles) {
  std::uint32_t sum = load_near(near);  // fills L1
  long long chain_cycles = 0;
#pragma unroll 1
  for (unsigned round = 0; round < kOrderRounds; ++round) {
    const std::uint32_t* line = far + round * kLineWords;
    std::uint32_t value = 0;
    __syncwarp();
    const long long begin = clock64();
    if constexpr (kOrder == Order::kBefore) value = load_far(line);
    std::uint32_t at = load_near(near);
    if constexpr (kOrder == Order::kBehind) value = load_far(line);
#pragma unroll
    for (int i = 1; i < kChain; ++i) at = load_near(near + at);
    asm volatile("add.u32 %0, %0, %1;" : "+r"(sum) : "r"(at));
    const long long end = clock64();
    asm volatile("add.u32 %0, %0, %1;" : "+r"(sum) : "r"(value));
    chain_cycles += end - begin;
  }
  sink[threadIdx.x] = sum;
  if (threadIdx.x == 0) cycles[0] = chain_cycles;
}

template <Order kOrder>
void add(Bench& bench, const DeviceWords& near, const DeviceWords& far, const char* name,
         std::vector<MicroValue>& out) {
  const Sampled s = sample([&] {
    return bench.cycles_of([&] {
      chains<kOrder>
          <<<1, 32, 0, bench.stream()>>>(near.get(), far.get(), bench.sink(), bench.cycles());
    });
  });
  bench.add(out, "load_order", {{"l2_load", name}}, s, "cycle/chain", 1.0 / kOrderRounds);
}

std::vector<MicroValue> run(Bench& bench) {
  std::vector<MicroValue> out;
  DeviceWords near(1), far(std::size_t{kOrderRounds} * kLineWords);
  near.fill(0, bench.stream());
  far.fill(0, bench.stream());
  add<Order::kAlone>(bench, near, far, "none", out);
  add<Order::kBefore>(bench, near, far, "before", out);
  add<Order::kBehind>(bench, near, far, "behind", out);
  return out;
}

const bool kRegistered = register_microbenchmark("load_order", run);

}  // namespace
}  // namespace pnsim::gpu
