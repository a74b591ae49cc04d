// Pointer chases: every load's address is the result of the load before.
#include <numeric>
#include <random>

#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kUnroll = 32;

// Follows shared addresses; each word holds the address of the next one.
__global__ void chase_shared(int words, int steps, std::uint32_t* sink, long long* cycles) {
  __shared__ std::uint32_t ring[1024];
  const auto base = static_cast<std::uint32_t>(__cvta_generic_to_shared(ring));
  for (int i = 0; i < words; ++i) ring[i] = base + 4u * ((i + 7) % words);
  std::uint32_t at = base;
  const long long start = clock64();
#pragma unroll 1
  for (int i = 0; i < steps; i += kUnroll) {
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      asm volatile("ld.shared.u32 %0, [%1];" : "=r"(at) : "r"(at));
    }
  }
  sink[0] = at;
  cycles[0] = clock64() - start;
}

struct CacheAll {
  static __device__ std::uint64_t load(std::uint64_t at) {
    asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(at) : "l"(at));
    return at;
  }
};
struct CacheGlobal {  // bypasses L1
  static __device__ std::uint64_t load(std::uint64_t at) {
    asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(at) : "l"(at));
    return at;
  }
};

// Follows global addresses: `warm` steps before the clock is read, and `steps` after.
template <class Load>
__global__ void chase(std::uint64_t at, int warm, int steps, std::uint32_t* sink,
                      long long* cycles) {
#pragma unroll 1
  for (int i = 0; i < warm; ++i) at = Load::load(at);
  const long long start = clock64() + static_cast<long long>(at & 1);
#pragma unroll 1
  for (int i = 0; i < steps; i += kUnroll) {
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) at = Load::load(at);
  }
  sink[0] = static_cast<std::uint32_t>(at);
  cycles[0] = clock64() - start;
}

// The same in every block, with lines `apart` bytes from each other.
template <class Load>
__global__ void chase_everywhere(std::uint64_t base, int apart, int warm, int steps,
                                 std::uint32_t* sink, long long* cycles) {
  std::uint64_t at = base + static_cast<std::uint64_t>(blockIdx.x) * apart;
#pragma unroll 1
  for (int i = 0; i < warm; ++i) at = Load::load(at);
  const long long start = clock64() + static_cast<long long>(at & 1);
#pragma unroll 1
  for (int i = 0; i < steps; i += kUnroll) {
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) at = Load::load(at);
  }
  sink[0] = static_cast<std::uint32_t>(at);
  cycles[blockIdx.x] = clock64() - start;
}

// The line at order[i] points to the line at order[i + 1], and the last one to the first.
__global__ void link(char* base, const std::uint32_t* order, int count, int line_bytes) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  char* const line = base + static_cast<std::uint64_t>(order[i]) * line_bytes;
  char* const next = base + static_cast<std::uint64_t>(order[(i + 1) % count]) * line_bytes;
  *reinterpret_cast<std::uint64_t*>(line) = reinterpret_cast<std::uint64_t>(next);
}

// A ring of `count` lines spread over `bytes`, in random order (seed 1).
class Ring {
 public:
  Ring(Bench& bench, std::size_t bytes, int count, int line_bytes)
      : words_(bytes / 4), order_words_(static_cast<std::size_t>(count)) {
    std::vector<std::uint32_t> order(static_cast<std::size_t>(count));
    const std::uint64_t lines = bytes / static_cast<std::uint64_t>(line_bytes);
    const std::uint64_t apart = lines / static_cast<std::uint64_t>(count);
    for (std::size_t i = 0; i < order.size(); ++i) {
      order[i] = static_cast<std::uint32_t>(i * apart);
    }
    std::mt19937 random(1);
    std::shuffle(order.begin(), order.end(), random);
    order_words_.upload(order);
    store(bench, count, line_bytes);
    PNSIM_CUDA(cudaStreamSynchronize(bench.stream()));
    start_ = base() + static_cast<std::uint64_t>(order[0]) * static_cast<std::uint64_t>(line_bytes);
  }

  // A launch of many SMs stores the addresses (again).
  void store(const Bench& bench, int count, int line_bytes) const {
    link<<<(count + 255) / 256, 256, 0, bench.stream()>>>(reinterpret_cast<char*>(words_.get()),
                                                          order_words_.get(), count, line_bytes);
    PNSIM_CUDA(cudaGetLastError());
  }

  std::uint64_t start() const { return start_; }
  std::uint64_t base() const {
    return reinterpret_cast<std::uint64_t>(words_.get());
  }  // a line of it

 private:
  DeviceWords words_, order_words_;
  std::uint64_t start_;
};

// A warp, each lane of which reads an address of `kBytes` again and again: it holds itself.
template <int kBytes>
__global__ void chase_wide(int steps, std::uint32_t* sink, long long* cycles) {
  __shared__ __align__(16) std::uint32_t self[32 * 4];
  auto at = static_cast<std::uint32_t>(__cvta_generic_to_shared(self)) + kBytes * threadIdx.x;
  self[threadIdx.x * kBytes / 4] = at;
  __syncwarp();
  std::uint32_t rest[3] = {};
  const long long start = clock64();
#pragma unroll 1
  for (int i = 0; i < steps; i += kUnroll) {
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      if constexpr (kBytes == 4) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(at) : "r"(at));
      if constexpr (kBytes == 8)
        asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(at), "=r"(rest[0]) : "r"(at));
      if constexpr (kBytes == 16)
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(at), "=r"(rest[0]), "=r"(rest[1]), "=r"(rest[2])
                     : "r"(at));
    }
  }
  sink[threadIdx.x] = at + rest[0] + rest[1] + rest[2];
  if (threadIdx.x == 0) cycles[0] = clock64() - start;
}

template <int kBytes>
void add_wide(Bench& bench, std::vector<MicroValue>& out) {
  constexpr int kSteps = 4096;
  const Sampled s = sample([&] {
    return bench.cycles_of([&] {
      chase_wide<kBytes><<<1, 32, 0, bench.stream()>>>(kSteps, bench.sink(), bench.cycles());
    });
  });
  bench.add(out, "latency_shared_warp", {{"bytes_per_thread", "", kBytes}}, s, "cycle",
            1.0 / kSteps);
}

std::vector<MicroValue> run_shared_warp(Bench& bench) {
  std::vector<MicroValue> out;
  add_wide<4>(bench, out);
  add_wide<8>(bench, out);
  add_wide<16>(bench, out);
  return out;
}

std::vector<MicroValue> run_shared(Bench& bench) {
  constexpr int kSteps = 4096;
  std::vector<MicroValue> out;
  const Sampled s = sample([&] {
    return bench.cycles_of([&] {
      chase_shared<<<1, 1, 0, bench.stream()>>>(1024, kSteps, bench.sink(), bench.cycles());
    });
  });
  bench.add(out, "latency_shared", {}, s, "cycle", 1.0 / kSteps);
  return out;
}

template <class Load>
Sampled sample_chase(Bench& bench, std::uint64_t at, int warm, int steps, int samples = 11) {
  return sample(
      [&] {
        return bench.cycles_of([&] {
          chase<Load><<<1, 1, 0, bench.stream()>>>(at, warm, steps, bench.sink(), bench.cycles());
        });
      },
      samples);
}

std::vector<MicroValue> run_l1(Bench& bench) {
  constexpr int kSteps = 4096;
  std::vector<MicroValue> out;
  const Ring ring(bench, 8 << 10, 64, 128);
  bench.add(out, "latency_l1", {}, sample_chase<CacheAll>(bench, ring.start(), 256, kSteps),
            "cycle", 1.0 / kSteps);
  return out;
}

// The lines of L2 form two groups, near and far. The widest gap between latencies separates them.
void add_near_and_far(Bench& bench, std::vector<double> cycles, std::vector<MicroValue>& out) {
  std::sort(cycles.begin(), cycles.end());
  std::size_t cut = cycles.size() / 2;
  double widest = 0;
  for (std::size_t i = cycles.size() / 10; i + cycles.size() / 10 < cycles.size(); ++i) {
    if (cycles[i + 1] - cycles[i] <= widest) continue;
    widest = cycles[i + 1] - cycles[i];
    cut = i + 1;
  }
  const auto middle = cycles.begin() + static_cast<std::ptrdiff_t>(cut);
  bench.add(out, "latency_l2", {{"lines", "near"}}, summary({cycles.begin(), middle}), "cycle");
  bench.add(out, "latency_l2", {{"lines", "far"}}, summary({middle, cycles.end()}), "cycle");
  const double share = static_cast<double>(cut) / static_cast<double>(cycles.size());
  bench.add(out, "latency_l2", {{"lines", "near_share"}},
            {share, 0, static_cast<int>(cycles.size())}, "1");
}

std::vector<MicroValue> run_l2(Bench& bench) {
  constexpr int kLines = 512, kSteps = 128, kRingLines = 8192;
  std::vector<MicroValue> out;
  const Ring all(bench, 8 << 20, kRingLines, 128);
  bench.add(out, "latency_l2", {{"lines", "all"}},
            sample_chase<CacheGlobal>(bench, all.start(), kRingLines, kRingLines), "cycle",
            1.0 / kRingLines);
  // Each line once, after another launch has stored it: half of the lines are in the other
  // partition.
  const Sampled stored = sample([&] {
    all.store(bench, kRingLines, 128);
    return bench.cycles_of([&] {
      chase<CacheGlobal>
          <<<1, 1, 0, bench.stream()>>>(all.start(), 0, kRingLines, bench.sink(), bench.cycles());
    });
  });
  bench.add(out, "latency_l2", {{"lines", "stored"}}, stored, "cycle", 1.0 / kRingLines);
  // One line at a time: it points to itself.
  std::vector<double> cycles;
  const DeviceWords lines(kLines * 1024);
  for (int i = 0; i < kLines; ++i) {
    const auto at = reinterpret_cast<std::uint64_t>(lines.get() + 1024 * i);
    PNSIM_CUDA(cudaMemcpy(reinterpret_cast<void*>(at), &at, sizeof at, cudaMemcpyHostToDevice));
    cycles.push_back(sample_chase<CacheGlobal>(bench, at, 4, kSteps, 3).median / kSteps);
  }
  add_near_and_far(bench, cycles, out);
  return out;
}

// All SMs at the same time, because some are farther from L2 than others.
std::vector<MicroValue> run_everywhere(Bench& bench) {
  constexpr int kBytes = 8 << 20, kLines = 8192, kSteps = 2048, kSamples = 7;
  const Ring ring(bench, kBytes, kLines, 128);
  const int blocks = bench.sms(), apart = kLines / blocks * (kBytes / kLines);
  std::vector<long long> cycles(static_cast<std::size_t>(blocks));
  std::vector<double> mean, slowest;
  for (int i = 0; i < kSamples; ++i) {
    chase_everywhere<CacheGlobal><<<blocks, 1, 0, bench.stream()>>>(
        ring.base(), apart, kLines, kSteps, bench.sink(), bench.cycles());
    PNSIM_CUDA(cudaGetLastError());
    PNSIM_CUDA(cudaStreamSynchronize(bench.stream()));
    PNSIM_CUDA(cudaMemcpy(cycles.data(), bench.cycles(), cycles.size() * sizeof(long long),
                          cudaMemcpyDeviceToHost));
    mean.push_back(std::accumulate(cycles.begin(), cycles.end(), 0.0) / blocks);
    slowest.push_back(static_cast<double>(*std::max_element(cycles.begin(), cycles.end())));
  }
  std::vector<MicroValue> out;
  bench.add(out, "latency_sms", {{"sm", "mean"}}, summary(mean), "cycle", 1.0 / kSteps);
  bench.add(out, "latency_sms", {{"sm", "slowest"}}, summary(slowest), "cycle", 1.0 / kSteps);
  return out;
}

std::vector<MicroValue> run_dram(Bench& bench) {
  constexpr int kSteps = 8192, kSamples = 7;
  std::vector<MicroValue> out;
  const DeviceWords flush(64 << 20);  // 256 MiB, more than L2 holds
  for (const std::int64_t mib : {512, 2048, 8192}) {
    // There are enough lines that no sample accesses a line twice between flushes.
    const Ring ring(bench, static_cast<std::size_t>(mib) << 20, kSteps, 128);
    const Sampled s = sample(
        [&] {
          PNSIM_CUDA(cudaMemsetAsync(flush.get(), 1, flush.size() * 4, bench.stream()));
          return bench.cycles_of([&] {
            chase<CacheGlobal><<<1, 1, 0, bench.stream()>>>(ring.start(), 0, kSteps, bench.sink(),
                                                            bench.cycles());
          });
        },
        kSamples);
    bench.add(out, "latency_dram", {{"footprint_mib", "", mib}}, s, "cycle", 1.0 / kSteps);
  }
  return out;
}

const bool kRegistered = register_microbenchmark("latency_shared", run_shared) &&
                         register_microbenchmark("latency_shared_warp", run_shared_warp) &&
                         register_microbenchmark("latency_l1", run_l1) &&
                         register_microbenchmark("latency_l2", run_l2) &&
                         register_microbenchmark("latency_sms", run_everywhere) &&
                         register_microbenchmark("latency_dram", run_dram);

}  // namespace
}  // namespace pnsim::gpu
