// Atomics on words that are spread over memory, on one line per warp, and on a single word.
#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kOps = 512;

// One lane of each warp adds to the same word: the time that one operation occupies its L2 slice.
template <class T>
__global__ void lone_atomics(T* word) {
#pragma unroll 1
  for (int i = 0; i < kOps; ++i) {
    if (threadIdx.x % 32 == 0) atomicAdd(word, static_cast<T>(1));
  }
}

// All lanes of a warp add to the same word, and the next warp to the next word, as in sums over
// sorted keys. Concurrent warps access few slices of L2 at a time, and other slices later.
template <class T>
__global__ void sorted_atomics(T* words) {
  atomicAdd(words + (blockIdx.x * blockDim.x + threadIdx.x) / 32, static_cast<T>(1));
}

// Warps add to 32 adjacent words, in a few lines in rotation, as when blocks merge private
// histograms.
template <class T>
__global__ void merged_atomics(T* words, std::uint32_t lines) {
  const std::uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
#pragma unroll 1
  for (std::uint32_t i = 0; i < kOps; ++i) {
    atomicAdd(words + (warp + i) % lines * 32 + threadIdx.x % 32, static_cast<T>(1));
  }
}

// The operation of every lane on words that no other lane uses at that time. With kUsed and the
// swaps, the next operation depends on the result. kSwap writes the value that is already stored;
// kRefused compares with a value that is not stored.
enum class Scattered { kDropped, kUsed, kSwap, kRefused, kFloat };

template <Scattered op>
__device__ std::uint32_t operate_on(std::uint32_t* word) {
  if constexpr (op == Scattered::kSwap) return atomicCAS(word, 0u, 0u);
  if constexpr (op == Scattered::kRefused) return atomicCAS(word, 0xffffffffu, 1u);
  if constexpr (op == Scattered::kUsed) return atomicAdd(word, 1u) >> 31;
  if constexpr (op == Scattered::kFloat) {
    atomicAdd(reinterpret_cast<float*>(word), 1.0f);
  } else {
    atomicAdd(word, 1u);
  }
  return 0;
}

// Number of words: `words`, all in one array.
template <Scattered op>
__global__ void scattered_atomics(std::uint32_t* data, std::uint32_t words) {
  std::uint32_t at = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u;
#pragma unroll 1
  for (int i = 0; i < kOps; ++i) {
    at = at * 1664525u + 1013904223u;
    at += operate_on<op>(data + ((at >> 7) & (words - 1)));
  }
}

using ScatteredKernel = void (*)(std::uint32_t*, std::uint32_t);
struct NamedScattered {
  const char* memory;
  ScatteredKernel kernel;
};
// Swaps come first, because they need zeros and leave zeros.
constexpr NamedScattered kScattered[] = {{"global_swapped", scattered_atomics<Scattered::kSwap>},
                                         {"global_refused", scattered_atomics<Scattered::kRefused>},
                                         {"global_used", scattered_atomics<Scattered::kUsed>},
                                         {"global", scattered_atomics<Scattered::kDropped>},
                                         {"global_float", scattered_atomics<Scattered::kFloat>}};

__global__ void scattered_shared_atomics(std::uint32_t words, std::uint32_t* sink,
                                         long long* cycles) {
  __shared__ std::uint32_t data[4096];
  for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) data[i] = 0;
  std::uint32_t at = threadIdx.x * 2654435761u;
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int i = 0; i < kOps; ++i) {
    at = at * 1664525u + 1013904223u;
    atomicAdd(data + ((at >> 7) & (words - 1)), 1u);
  }
  __syncthreads();
  const long long stop = clock64();
  sink[threadIdx.x] = data[threadIdx.x];
  if (threadIdx.x == 0) cycles[0] = stop - start;
}

template <class Launch>
Sampled sample_ns(Bench& bench, const Launch& launch) {
  return sample([&] { return bench.ns_of(launch); }, 5);
}

void add_shared(Bench& bench, std::vector<MicroValue>& out) {
  for (const std::uint32_t words : {4u, 16u, 256u, 4096u}) {
    const Sampled s = sample(
        [&] {
          return bench.cycles_of([&] {
            scattered_shared_atomics<<<1, 512, 0, bench.stream()>>>(words, bench.sink(),
                                                                    bench.cycles());
          });
        },
        5);
    bench.add(out, "scattered_atomics", {{"memory", "shared"}, {"words", "", words}}, s,
              "cycle/warp instruction", 1.0 / (16 * kOps));
  }
}

std::vector<MicroValue> run_scattered(Bench& bench) {
  constexpr unsigned kThreads = 256;  // of a block
  std::vector<MicroValue> out;
  DeviceWords data(1u << 28);  // 1 GB: twenty times what L2 holds
  data.fill(0, bench.stream());
  const auto blocks = static_cast<unsigned>(4 * bench.sms());
  const auto add = [&](const char* memory, std::uint32_t words, const Sampled& s, double ops) {
    bench.add(out, "scattered_atomics", {{"memory", memory}, {"words", "", words}}, s,
              "ns/warp instruction", 1.0 / ops);
  };
  const double warp_ops = static_cast<double>(blocks) * kThreads / 32 * kOps;
  for (const NamedScattered& op : kScattered) {
    for (const std::uint32_t words : {16u, 256u, 4096u, 1u << 16, 1u << 22, 1u << 26, 1u << 28}) {
      const auto launch = [&] {
        op.kernel<<<blocks, kThreads, 0, bench.stream()>>>(data.get(), words);
      };
      add(op.memory, words, sample_ns(bench, launch), warp_ops);
    }
  }
  const auto add_merged = [&](const char* memory, auto* words) {
    for (const std::uint32_t lines : {1u, 2u, 4u, 8u, 32u, 128u, 1024u}) {
      const auto launch = [&] {
        merged_atomics<<<blocks, kThreads, 0, bench.stream()>>>(words, lines);
      };
      add(memory, 32 * lines, sample_ns(bench, launch), warp_ops);
    }
  };
  add_merged("global_merged", data.get());
  add_merged("global_merged_float", reinterpret_cast<float*>(data.get()));
  const auto add_sorted = [&](const char* memory, auto* words) {
    constexpr unsigned kWords = 1u << 22;
    const auto launch = [&] {
      sorted_atomics<<<kWords / (kThreads / 32), kThreads, 0, bench.stream()>>>(words);
    };
    add(memory, kWords, sample_ns(bench, launch), kWords);
  };
  add_sorted("global_sorted", data.get());
  add_sorted("global_sorted_float", reinterpret_cast<float*>(data.get()));
  const auto add_lone = [&](const char* memory, auto* word) {
    const auto launch = [&] { lone_atomics<<<blocks, kThreads, 0, bench.stream()>>>(word); };
    add(memory, 1, sample_ns(bench, launch), warp_ops);
  };
  add_lone("global_one_lane", data.get());
  add_lone("global_one_lane_float", reinterpret_cast<float*>(data.get()));
  add_shared(bench, out);
  return out;
}

const bool kRegistered = register_microbenchmark("scattered_atomics", run_scattered);

}  // namespace
}  // namespace pnsim::gpu
