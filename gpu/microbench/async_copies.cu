// Copies from global to shared memory by cp.async: the issue of one, the latency to its wait, and
// the bandwidth from L2 by bytes per thread and by groups in flight.
#include "gpu/microbench/bench.cuh"
#include "gpu/ptx/async_copy.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kThreads = 128;
constexpr std::size_t kWords = 2u << 20;  // 8 MiB, which stay in L2

// One warp: a copy, its commit and its wait, each time of other lines.
template <int kBytes>
__global__ void copy_and_wait(const std::uint32_t* words, int steps, std::uint32_t* sink,
                              long long* cycles) {
  __shared__ __align__(16) std::uint32_t target[32 * 4];
  const std::uint32_t shared = shared_address(target) + kBytes * threadIdx.x;
  const auto* from = reinterpret_cast<const char*>(words) + kBytes * threadIdx.x;
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < steps; ++i) {
    copy_async<kBytes>(shared, from + 1024 * i);
    commit_copies();
    wait_for_copies<0>();
  }
  const long long end = clock64();
  sink[threadIdx.x] = target[threadIdx.x];
  if (threadIdx.x == 0) cycles[0] = end - begin;
}

// The cycles of a scheduler until kCopies copies of one warp are issued.
template <int kBytes, int kCopies>
__global__ void issue(const std::uint32_t* words, std::uint32_t* sink, long long* cycles) {
  __shared__ __align__(16) std::uint32_t target[32 * 4];
  const std::uint32_t shared = shared_address(target) + kBytes * threadIdx.x;
  const auto* from = reinterpret_cast<const char*>(words) + kBytes * threadIdx.x;
  long long took = 0;
#pragma unroll 1
  for (int round = 0; round < 16; ++round) {
    const long long begin = clock64();
#pragma unroll
    for (int i = 0; i < kCopies; ++i) copy_async<kBytes>(shared, from + 1024 * i);
    took = clock64() - begin;
    commit_copies();
    wait_for_copies<0>();
    from += 1024 * kCopies;
  }
  sink[threadIdx.x] = target[threadIdx.x];
  if (threadIdx.x == 0) cycles[0] = took;
}

// A pipeline: kStages groups in flight, each of one copy of kBytes per thread; the block meets in a
// barrier behind each wait, as a kernel that uses the data does.
template <int kBytes, int kStages>
__global__ void pipeline(const std::uint32_t* words, int steps, std::uint32_t* sink,
                         long long* cycles) {
  constexpr unsigned kStageBytes = kBytes * kThreads;
  __shared__ __align__(16) unsigned char target[kStageBytes * kStages];
  const std::uint32_t shared = shared_address(target) + kBytes * threadIdx.x;
  const auto* const from = reinterpret_cast<const char*>(words);
  // Blocks begin at different places and walk through all words.
  unsigned at = (blockIdx.x * 65u * kStageBytes + kBytes * threadIdx.x) % (4 * kWords);
  const auto step = [&](int i) {
    copy_async<kBytes>(shared + kStageBytes * (static_cast<unsigned>(i) % kStages), from + at);
    commit_copies();
    at = (at + kStageBytes) % (4 * kWords);
  };
  const long long begin = clock64();
#pragma unroll
  for (int i = 0; i < kStages; ++i) step(i);
#pragma unroll 1
  for (int i = 0; i < steps; i += kStages) {
#pragma unroll
    for (int stage = 0; stage < kStages; ++stage) {
      wait_for_copies<kStages - 1>();
      __syncthreads();
      step(stage);
    }
  }
  wait_for_copies<0>();
  __syncthreads();
  const long long end = clock64();
  sink[threadIdx.x] = target[threadIdx.x];
  if (threadIdx.x == 0) cycles[blockIdx.x] = end - begin;
}

template <int kBytes>
void add_latency(Bench& bench, const DeviceWords& words, std::vector<MicroValue>& out) {
  constexpr int kSteps = 1024;
  const Sampled s = sample([&] {
    return bench.cycles_of([&] {
      copy_and_wait<kBytes>
          <<<1, 32, 0, bench.stream()>>>(words.get(), kSteps, bench.sink(), bench.cycles());
    });
  });
  bench.add(out, "async_copy_latency", {{"bytes_per_thread", "", kBytes}}, s, "cycle",
            1.0 / kSteps);
}

template <int kBytes>
void add_issue(Bench& bench, const DeviceWords& words, std::vector<MicroValue>& out) {
  constexpr int kFew = 4, kMany = 12;
  const auto cycles = [&](auto kernel) {
    return sample([&] {
      return bench.cycles_of(
          [&] { kernel<<<1, 32, 0, bench.stream()>>>(words.get(), bench.sink(), bench.cycles()); });
    });
  };
  const Sampled few = cycles(issue<kBytes, kFew>);
  Sampled s = cycles(issue<kBytes, kMany>);
  s.rel_mad *= s.median / (s.median - few.median);
  s.median = (s.median - few.median) / (kMany - kFew);
  bench.add(out, "async_copy_issue", {{"bytes_per_thread", "", kBytes}}, s, "cycle");
}

template <int kBytes, int kStages>
void add_bandwidth(Bench& bench, const DeviceWords& words, int blocks_per_sm,
                   std::vector<MicroValue>& out) {
  constexpr int kSteps = 2048;
  const auto blocks = static_cast<unsigned>(blocks_per_sm * bench.sms());
  Sampled s = sample(
      [&] {
        return bench.cycles_of([&] {
          pipeline<kBytes, kStages><<<blocks, kThreads, 0, bench.stream()>>>(
              words.get(), kSteps, bench.sink(), bench.cycles());
        });
      },
      5);
  s.median = static_cast<double>(kBytes) * kThreads * (kSteps + kStages) * blocks_per_sm / s.median;
  bench.add(out, "async_copy_bandwidth",
            {{"bytes_per_thread", "", kBytes},
             {"stages", "", kStages},
             {"blocks_per_sm", "", blocks_per_sm}},
            s, "byte/cycle/SM");
}

template <int kBytes>
void add_stages(Bench& bench, const DeviceWords& words, std::vector<MicroValue>& out) {
  for (const int blocks_per_sm : {1, 2, 4}) {
    add_bandwidth<kBytes, 1>(bench, words, blocks_per_sm, out);
    add_bandwidth<kBytes, 2>(bench, words, blocks_per_sm, out);
    add_bandwidth<kBytes, 4>(bench, words, blocks_per_sm, out);
    add_bandwidth<kBytes, 8>(bench, words, blocks_per_sm, out);
  }
}

std::vector<MicroValue> run_latency(Bench& bench) {
  std::vector<MicroValue> out;
  if (!bench.has_capability(80, "cp.async")) return out;
  DeviceWords words(kWords);
  words.fill(0, bench.stream());
  add_latency<4>(bench, words, out);
  add_latency<8>(bench, words, out);
  add_latency<16>(bench, words, out);
  return out;
}

std::vector<MicroValue> run_issue(Bench& bench) {
  std::vector<MicroValue> out;
  if (!bench.has_capability(80, "cp.async")) return out;
  DeviceWords words(kWords);
  words.fill(0, bench.stream());
  add_issue<4>(bench, words, out);
  add_issue<8>(bench, words, out);
  add_issue<16>(bench, words, out);
  return out;
}

std::vector<MicroValue> run_bandwidth(Bench& bench) {
  std::vector<MicroValue> out;
  if (!bench.has_capability(80, "cp.async")) return out;
  DeviceWords words(kWords);
  words.fill(0, bench.stream());
  add_stages<4>(bench, words, out);
  add_stages<8>(bench, words, out);
  add_stages<16>(bench, words, out);
  return out;
}

const bool kRegistered = register_microbenchmark("async_copy_latency", run_latency) &&
                         register_microbenchmark("async_copy_issue", run_issue) &&
                         register_microbenchmark("async_copy_bandwidth", run_bandwidth);

}  // namespace
}  // namespace pnsim::gpu
