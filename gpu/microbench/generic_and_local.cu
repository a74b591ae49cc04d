// Accesses through generic pointers, local memory (stack, spilled registers), calls of functions,
// loads in which all lanes read one address, and stores of bytes.
#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kSteps = 64, kRounds = 32;

// Every word holds 0; each load adds its result to the next address. `from` is shared or global
// memory, which the compiler cannot know.
__global__ void generic_chain(const std::uint32_t* global, int use_shared, std::uint32_t* sink,
                              long long* cycles) {
  __shared__ std::uint32_t words[32];
  words[threadIdx.x] = 0;
  __syncthreads();
  const std::uint32_t* at = (use_shared != 0 ? words : global) + threadIdx.x;
  std::uint32_t word;
  asm volatile("ld.u32 %0, [%1];" : "=r"(word) : "l"(at) : "memory");  // fills L1
  at += word;
  const long long begin = clock64() + (word >> 31);
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      asm volatile("ld.u32 %0, [%1];" : "=r"(word) : "l"(at) : "memory");
      at += word;
    }
  }
  sink[threadIdx.x] = word;
  const long long end = clock64() + (word >> 31);
  if (threadIdx.x == 0) cycles[0] = end - begin;
}

__global__ void generic_rate(const std::uint32_t* global, int use_shared, std::uint32_t* sink,
                             long long* cycles) {
  __shared__ std::uint32_t words[1024];
  words[threadIdx.x] = 0;
  const std::uint32_t* at[4];
  for (auto& pointer : at) pointer = (use_shared != 0 ? words : global) + threadIdx.x;
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      std::uint32_t word;
      asm volatile("ld.u32 %0, [%1];" : "=r"(word) : "l"(at[i % 4]) : "memory");
      at[i % 4] += word;
    }
  }
  __syncthreads();
  const long long end = clock64();
  std::uintptr_t sum = 0;
  for (const auto* pointer : at) sum += reinterpret_cast<std::uintptr_t>(pointer);
  sink[threadIdx.x] = static_cast<std::uint32_t>(sum);
  if (threadIdx.x == 0) cycles[0] = end - begin;
}

// A ring in local memory that is followed by index: local loads that hit L1.
__global__ void local_chain(std::uint32_t zero, std::uint32_t* sink, long long* cycles) {
  std::uint32_t ring[16];
#pragma unroll 1
  for (std::uint32_t i = 0; i < 16; ++i) ring[(i + zero) & 15u] = (i + 5 + zero) & 15u;
  std::uint32_t at = zero;
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < kSteps * kRounds; i += 8) {
#pragma unroll
    for (int k = 0; k < 8; ++k) at = ring[at];
  }
  sink[threadIdx.x] = at;
  const long long end = clock64() + (at >> 31);
  if (threadIdx.x == 0) cycles[0] = end - begin;
}

// Stores to local memory and loads from it, by index, of many warps.
__global__ void local_rate(std::uint32_t zero, std::uint32_t* sink, long long* cycles) {
  std::uint32_t stack[16];
#pragma unroll 1
  for (std::uint32_t i = 0; i < 16; ++i) stack[(i + zero) & 15u] = zero;
  std::uint32_t at = zero, sum = 0;
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < kSteps * kRounds / 4; i += 4) {
#pragma unroll
    for (std::uint32_t k = 0; k < 4; ++k) {
      stack[(at + k) & 15u] = sum;
      sum += stack[(at + k + 7) & 15u];
    }
    at += 3;
  }
  __syncthreads();
  const long long end = clock64();
  sink[threadIdx.x] = sum + at;
  if (threadIdx.x == 0) cycles[0] = end - begin;
}

// A function that is not inlined, and the same arithmetic without the call.
__device__ __noinline__ std::uint32_t called(std::uint32_t x, std::uint32_t a) {
  asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(x) : "r"(a));
  return x;
}

template <bool calls>
__global__ void call_chain(std::uint32_t x, std::uint32_t a, std::uint32_t* sink,
                           long long* cycles) {
  x += threadIdx.x;
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < kSteps * kRounds; i += 8) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      if (calls) {
        x = called(x, a);
      } else {
        asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(x) : "r"(a));
      }
    }
  }
  sink[threadIdx.x] = x;
  const long long end = clock64();
  if (threadIdx.x == 0) cycles[0] = end - begin;
}

// All lanes read one address, which hits L1 after the first load; a dependent chain. `lanes_apart`
// words between the lanes: 0 or 1.
__global__ void one_address(const std::uint32_t* words, int lanes_apart, std::uint32_t* sink,
                            long long* cycles) {
  const std::uint32_t* at = words + threadIdx.x % 32 * static_cast<unsigned>(lanes_apart);
  std::uint32_t word = 0;
  asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(word) : "l"(at) : "memory");
  at += word;
  const long long begin = clock64() + (word >> 31);
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(word) : "l"(at) : "memory");
      at += word;
    }
  }
  sink[threadIdx.x] = word;
  const long long end = clock64() + (word >> 31);
  if (threadIdx.x == 0) cycles[0] = end - begin;
}

// Every thread stores numbers of this type at consecutive places; 4 MiB in all stay in L2.
template <class T>
__global__ void stores(T* words, unsigned count, int rounds, std::uint32_t* sink,
                       long long* cycles) {
  const unsigned threads = gridDim.x * blockDim.x;
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      words[at] = static_cast<T>(round);
      at = (at + threads) & (count - 1);
    }
  }
  __syncthreads();
  const long long end = clock64();
  sink[threadIdx.x] = at;
  if (threadIdx.x == 0) cycles[blockIdx.x] = end - begin;
}

template <class Launch>
void add_cycles(Bench& bench, const char* name, std::vector<MicroSetting> settings,
                std::vector<MicroValue>& out, const char* unit, double per, const Launch& launch) {
  bench.add(out, name, std::move(settings), sample([&] { return bench.cycles_of(launch); }), unit,
            1.0 / per);
}

std::vector<MicroValue> run_generic(Bench& bench) {
  std::vector<MicroValue> out;
  DeviceWords words(1024);
  words.fill(0, bench.stream());
  for (const int shared : {0, 1}) {
    const char* memory = shared ? "shared" : "global";
    add_cycles(bench, "generic_load", {{"memory", memory}, {"measure", "latency"}}, out, "cycle",
               kSteps * kRounds, [&] {
                 generic_chain<<<1, 32, 0, bench.stream()>>>(words.get(), shared, bench.sink(),
                                                             bench.cycles());
               });
    for (const int warps : {4, 32}) {
      add_cycles(bench, "generic_load",
                 {{"memory", memory}, {"measure", "rate"}, {"warps", "", warps}}, out,
                 "cycle/warp load", static_cast<double>(kSteps) * kRounds * warps, [&] {
                   generic_rate<<<1, 32 * warps, 0, bench.stream()>>>(words.get(), shared,
                                                                      bench.sink(), bench.cycles());
                 });
    }
  }
  return out;
}

std::vector<MicroValue> run_local(Bench& bench) {
  std::vector<MicroValue> out;
  add_cycles(bench, "local_memory", {{"op", "load_chain"}}, out, "cycle", kSteps * kRounds,
             [&] { local_chain<<<1, 32, 0, bench.stream()>>>(0, bench.sink(), bench.cycles()); });
  for (const int warps : {4, 16, 32}) {
    add_cycles(bench, "local_memory", {{"op", "store_and_load"}, {"warps", "", warps}}, out,
               "cycle/warp pair", kSteps * kRounds / 4.0 * warps, [&] {
                 local_rate<<<1, 32 * warps, 0, bench.stream()>>>(0, bench.sink(), bench.cycles());
               });
  }
  return out;
}

std::vector<MicroValue> run_call(Bench& bench) {
  std::vector<MicroValue> out;
  add_cycles(bench, "call", {{"op", "call_mad_and_return"}}, out, "cycle", kSteps * kRounds, [&] {
    call_chain<true><<<1, 32, 0, bench.stream()>>>(3, 5, bench.sink(), bench.cycles());
  });
  add_cycles(bench, "call", {{"op", "mad_inlined"}}, out, "cycle", kSteps * kRounds, [&] {
    call_chain<false><<<1, 32, 0, bench.stream()>>>(3, 5, bench.sink(), bench.cycles());
  });
  for (const int warps : {16, 32}) {
    add_cycles(bench, "call", {{"op", "call_mad_and_return"}, {"warps", "", warps}}, out,
               "cycle/warp call", static_cast<double>(kSteps) * kRounds * warps, [&] {
                 call_chain<true>
                     <<<1, 32 * warps, 0, bench.stream()>>>(3, 5, bench.sink(), bench.cycles());
               });
  }
  return out;
}

std::vector<MicroValue> run_one_address(Bench& bench) {
  std::vector<MicroValue> out;
  DeviceWords words(1024);
  words.fill(0, bench.stream());
  for (const int apart : {0, 1}) {
    for (const int warps : {1, 8}) {
      add_cycles(bench, "l1_one_address", {{"words_apart", "", apart}, {"warps", "", warps}}, out,
                 "cycle", kSteps * kRounds, [&] {
                   one_address<<<1, 32 * warps, 0, bench.stream()>>>(words.get(), apart,
                                                                     bench.sink(), bench.cycles());
                 });
    }
  }
  return out;
}

template <class T>
void add_stores(Bench& bench, const DeviceWords& words, std::vector<MicroValue>& out) {
  constexpr int kStoreRounds = 64;
  for (const int blocks_per_sm : {1, 4}) {
    for (const int sms : {1, bench.sms()}) {
      Sampled s = sample([&] {
        return bench.cycles_of([&] {
          stores<<<static_cast<unsigned>(blocks_per_sm * sms), 256, 0, bench.stream()>>>(
              reinterpret_cast<T*>(words.get()),
              static_cast<unsigned>(words.size() * 4 / sizeof(T)), kStoreRounds, bench.sink(),
              bench.cycles());
        });
      });
      bench.add(out, "store_width",
                {{"bytes_per_thread", "", static_cast<int>(sizeof(T))},
                 {"blocks_per_sm", "", blocks_per_sm},
                 {"sms", "", sms}},
                s, "cycle/warp store", 1.0 / (8.0 * kStoreRounds * 8 * blocks_per_sm));
    }
  }
}

std::vector<MicroValue> run_stores(Bench& bench) {
  std::vector<MicroValue> out;
  DeviceWords words(1u << 20);
  words.fill(0, bench.stream());
  add_stores<unsigned char>(bench, words, out);
  add_stores<unsigned short>(bench, words, out);
  add_stores<std::uint32_t>(bench, words, out);
  return out;
}

const bool kRegistered = register_microbenchmark("generic_load", run_generic) &&
                         register_microbenchmark("local_memory", run_local) &&
                         register_microbenchmark("call", run_call) &&
                         register_microbenchmark("l1_one_address", run_one_address) &&
                         register_microbenchmark("store_width", run_stores);

}  // namespace
}  // namespace pnsim::gpu
