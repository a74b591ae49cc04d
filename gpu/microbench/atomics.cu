// Atomics and the plain accesses that they compete with, after "CUDA atomics: a practical analysis"
// (S. Robertson, 2009): its operations, patterns and offset scan. Unused results are a pitfall,
// which is avoided in two ways. The result of an operation enters the next address, and times are
// those of whole kernels, which end after all their stores.
#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kOps = 64;
constexpr int kLongOps =
    1024;  // where whole kernels are timed: makes the launch overhead negligible

__global__ void shared_atomics(int addresses, bool returns, std::uint32_t* sink,
                               long long* cycles) {
  __shared__ std::uint32_t words[32 * 32];
  for (unsigned i = threadIdx.x; i < 32 * 32; i += blockDim.x) words[i] = 0;
  __syncthreads();
  std::uint32_t* at =
      words + threadIdx.x / 32 * 32 + threadIdx.x % static_cast<unsigned>(addresses);
  std::uint32_t got = 0;
  const long long start = clock64();
#pragma unroll 1
  for (int i = 0; i < kOps; ++i) {
    if (returns) {
      // got < 2^31, so it adds 0, which the compiler cannot know.
      got = atomicAdd(at + (got >> 31), 1u);
    } else {
      atomicAdd(at, 1u);
    }
  }
  __syncthreads();
  const long long stop = clock64();
  sink[threadIdx.x] = got + words[threadIdx.x];
  if (threadIdx.x == 0) cycles[0] = stop - start;
}

__global__ void global_atomics(std::uint32_t* words, int addresses, std::uint32_t warp_stride,
                               bool returns, std::uint32_t* sink) {
  const std::uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  std::uint32_t* at = words + static_cast<std::size_t>(warp) * warp_stride +
                      threadIdx.x % static_cast<unsigned>(addresses);
  std::uint32_t got = 0;
#pragma unroll 1
  for (int i = 0; i < kLongOps; ++i) {
    if (returns) {
      got = atomicAdd(at + (got >> 31), 1u);
    } else {
      atomicAdd(at, 1u);
    }
  }
  if (got == 0xffffffffu) sink[0] = got;
}

void add_global_contention(Bench& bench, int addresses, bool own, bool returns,
                           const DeviceWords& words, std::vector<MicroValue>& out) {
  constexpr unsigned kBlockThreads = 256;
  const auto blocks = static_cast<unsigned>(bench.sms());
  const Sampled s = sample(
      [&] {
        PNSIM_CUDA(cudaMemsetAsync(words.get(), 0, words.size() * 4, bench.stream()));
        return bench.ns_of([&] {
          global_atomics<<<blocks, kBlockThreads, 0, bench.stream()>>>(
              words.get(), addresses, own ? 32 : 0, returns, bench.sink());
        });
      },
      5);
  const double warp_ops = static_cast<double>(blocks) * kBlockThreads / 32 * kLongOps;
  bench.add(out, "atomic_contention",
            {{"memory", own ? "global_own_lines" : "global_one_line"},
             {"result", returns ? "used" : "dropped"},
             {"addresses_per_warp", "", addresses}},
            s, "ns/warp instruction", 1.0 / warp_ops);
}

std::vector<MicroValue> run_contention(Bench& bench) {
  std::vector<MicroValue> out;
  const DeviceWords words(static_cast<std::size_t>(bench.sms()) * 8 * 32);
  for (const bool returns : {true, false}) {
    for (const int addresses : {1, 2, 4, 8, 16, 32}) {
      const Sampled s = sample(
          [&] {
            return bench.cycles_of([&] {
              shared_atomics<<<1, 256, 0, bench.stream()>>>(addresses, returns, bench.sink(),
                                                            bench.cycles());
            });
          },
          7);
      bench.add(out, "atomic_contention",
                {{"memory", "shared"},
                 {"result", returns ? "used" : "dropped"},
                 {"addresses_per_warp", "", addresses}},
                s, "cycle/warp instruction", 1.0 / (8 * kOps));
      add_global_contention(bench, addresses, true, returns, words, out);
      add_global_contention(bench, addresses, false, returns, words, out);
    }
  }
  return out;
}

// Rate of shared atomics on a full SM without other limits. Each lane uses its own word, all lanes
// of a warp share one word, or each lane uses one of 256 random words. Adding 1 has its own
// instruction.
enum class SharedWords { kOwn, kOne, kRandom };

template <bool is_increment, SharedWords where>
__global__ void shared_atomic_rate(std::uint32_t value, std::uint32_t* sink, long long* cycles) {
  constexpr std::uint32_t kWords = 256;
  __shared__ std::uint32_t words[1024 + kWords];
  for (unsigned i = threadIdx.x; i < 1024 + kWords; i += blockDim.x) words[i] = 0;
  std::uint32_t at = where == SharedWords::kOne ? threadIdx.x / 32 * 32 : threadIdx.x;
  std::uint32_t x = threadIdx.x * 2654435761u;
  __syncthreads();
  const long long start = clock64();
#pragma unroll 16
  for (int i = 0; i < kOps; ++i) {
    if constexpr (where == SharedWords::kRandom) {
      x = x * 1664525u + 1013904223u;
      at = x >> 24;
    }
    atomicAdd(words + at, is_increment ? 1u : value);
  }
  __syncthreads();
  const long long stop = clock64();
  sink[threadIdx.x] = words[threadIdx.x];
  if (threadIdx.x == 0) cycles[0] = stop - start;
}

using SharedRateKernel = void (*)(std::uint32_t, std::uint32_t*, long long*);
struct NamedSharedRate {
  const char* op;
  const char* words;
  SharedRateKernel kernel;
};
constexpr NamedSharedRate kSharedRates[] = {
    {"increment", "own", shared_atomic_rate<true, SharedWords::kOwn>},
    {"increment", "one", shared_atomic_rate<true, SharedWords::kOne>},
    {"increment", "random", shared_atomic_rate<true, SharedWords::kRandom>},
    {"add", "own", shared_atomic_rate<false, SharedWords::kOwn>},
    {"add", "one", shared_atomic_rate<false, SharedWords::kOne>},
    {"add", "random", shared_atomic_rate<false, SharedWords::kRandom>}};

std::vector<MicroValue> run_shared_rate(Bench& bench) {
  std::vector<MicroValue> out;
  for (const NamedSharedRate& rate : kSharedRates) {
    const Sampled s = sample(
        [&] {
          return bench.cycles_of([&] {
            rate.kernel<<<1, 1024, 0, bench.stream()>>>(3u, bench.sink(), bench.cycles());
          });
        },
        7);
    bench.add(out, "shared_atomic_rate", {{"op", rate.op}, {"words", rate.words}}, s,
              "cycle/warp instruction", 1.0 / (32 * kOps));
  }
  return out;
}

enum class Op { kLoad, kStore, kLoadStore, kRed, kAtomic };

// One operation; returns a 0 that depends on the loaded value, if there is one.
template <Op op>
__device__ std::uint32_t operate(std::uint32_t* at, std::uint32_t value) {
  if constexpr (op == Op::kLoad) return __ldcg(at) >> 31;
  if constexpr (op == Op::kStore) {
    __stcg(at, value & 0xffffu);
    return 0;
  }
  if constexpr (op == Op::kLoadStore) {
    const std::uint32_t read = __ldcg(at);
    __stcg(at, (read + 1) & 0xffffu);
    return read >> 31;
  }
  if constexpr (op == Op::kRed) {
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(1u) : "memory");
    return 0;
  }
  return atomicAdd(at, 1u) >> 31;
}

// Thread t of warp w accesses words + pattern: lane_stride * lane + warp_stride * w. `factor` comes
// from the host, so that the multiply-adds cannot be folded.
template <Op op, bool with_arithmetic>
__global__ void operations(std::uint32_t* words, std::uint32_t lane_stride,
                           std::uint32_t warp_stride, std::uint32_t factor, std::uint32_t* sink) {
  const std::uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  std::uint32_t* const at =
      words + static_cast<std::size_t>(warp) * warp_stride + threadIdx.x % 32 * lane_stride;
  std::uint32_t zero = 0, x = threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < kOps; ++i) {
    zero = operate<op>(at + zero, x);
    if constexpr (with_arithmetic) {
      x += zero;
#pragma unroll
      for (int k = 0; k < 50; ++k) x = x * factor + factor;
    }
  }
  if (x == 0x12345678u) sink[0] = x + zero;
}

using Operation = void (*)(std::uint32_t*, std::uint32_t, std::uint32_t, std::uint32_t,
                           std::uint32_t*);
struct NamedOperation {
  const char* name;
  Operation alone, with_arithmetic;
};
constexpr NamedOperation kOperations[] = {
    {"load", operations<Op::kLoad, false>, operations<Op::kLoad, true>},
    {"store", operations<Op::kStore, false>, operations<Op::kStore, true>},
    {"load_store", operations<Op::kLoadStore, false>, operations<Op::kLoadStore, true>},
    {"red", operations<Op::kRed, false>, operations<Op::kRed, true>},
    {"atomic", operations<Op::kAtomic, false>, operations<Op::kAtomic, true>}};

struct Pattern {
  const char* name;
  std::uint32_t lane_stride, warp_stride;  // words
};
constexpr Pattern kPatterns[] = {
    {"conflict", 0, 0}, {"uncoalesced", 32, 1024}, {"coalesced", 1, 32}};

std::vector<MicroValue> run_operations(Bench& bench) {
  std::vector<MicroValue> out;
  const auto blocks = static_cast<unsigned>(bench.sms());
  const DeviceWords words(static_cast<std::size_t>(blocks) * 32 * 1024);
  for (const NamedOperation& op : kOperations) {
    for (const Pattern& pattern : kPatterns) {
      for (const bool arithmetic : {false, true}) {
        for (const unsigned warps : {1u, 2u, 4u, 8u, 16u, 32u}) {
          const Sampled s = sample(
              [&] {
                PNSIM_CUDA(cudaMemsetAsync(words.get(), 0, words.size() * 4, bench.stream()));
                return bench.ns_of([&] {
                  (arithmetic ? op.with_arithmetic
                              : op.alone)<<<blocks, 32 * warps, 0, bench.stream()>>>(
                      words.get(), pattern.lane_stride, pattern.warp_stride, 5, bench.sink());
                });
              },
              5);
          bench.add(out, "memory_operations",
                    {{"op", op.name},
                     {"pattern", pattern.name},
                     {"between", arithmetic ? "50_multiply_adds" : "nothing"},
                     {"warps_per_sm", "", warps}},
                    s, "ns/operation of a warp", 1.0 / kOps);
        }
      }
    }
  }
  return out;
}

// Eight lanes of a warp, 4096 bytes apart; warps are `offset` bytes apart; each block has its own
// 32 KiB.
template <Op op>
__global__ void offset_operations(char* bytes, std::uint32_t offset, std::uint32_t* sink) {
  const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane >= 8) return;
  char* const at = bytes + 65536ull * blockIdx.x + 4096ull * lane + std::uint64_t{offset} * warp;
  std::uint32_t zero = 0;
#pragma unroll 1
  for (int i = 0; i < kOps; ++i) {
    zero = operate<op>(reinterpret_cast<std::uint32_t*>(at) + zero, lane);
  }
  if (zero) sink[0] = zero;
}

std::vector<MicroValue> run_width(Bench& bench) {
  std::vector<MicroValue> out;
  const auto blocks = static_cast<unsigned>(bench.sms());
  const DeviceWords words(static_cast<std::size_t>(blocks) * 16384 + 16384);
  auto* const bytes = reinterpret_cast<char*>(words.get());
  for (const bool atomic : {true, false}) {
    for (const std::uint32_t offset :
         {0u, 4u, 8u, 16u, 32u, 64u, 128u, 256u, 512u, 1024u, 2048u, 4096u}) {
      const Sampled s = sample(
          [&] {
            PNSIM_CUDA(cudaMemsetAsync(words.get(), 0, words.size() * 4, bench.stream()));
            return bench.ns_of([&] {
              (atomic ? offset_operations<Op::kAtomic>
                      : offset_operations<Op::kLoadStore>)<<<blocks, 256, 0, bench.stream()>>>(
                  bytes, offset, bench.sink());
            });
          },
          5);
      bench.add(out, "atomic_width",
                {{"op", atomic ? "atomic" : "load_store"}, {"offset_bytes", "", offset}}, s,
                "ns/operation of a warp", 1.0 / kOps);
    }
  }
  return out;
}

const bool kRegistered = register_microbenchmark("atomic_contention", run_contention) &&
                         register_microbenchmark("shared_atomic_rate", run_shared_rate) &&
                         register_microbenchmark("memory_operations", run_operations) &&
                         register_microbenchmark("atomic_width", run_width);

}  // namespace
}  // namespace pnsim::gpu
