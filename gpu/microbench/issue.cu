// Rates of one SM: instructions a cycle by class and number of warps, and the ports of shared memory
// and L1 by access pattern.
#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kChains = 8;
constexpr int kRounds = 64;
constexpr int kUnroll = 16;

struct FmaOp {
  static __device__ std::uint32_t run(std::uint32_t x, std::uint32_t a, std::uint32_t b, int) {
    return __float_as_uint(fmaf(__uint_as_float(x), __uint_as_float(a), __uint_as_float(b)));
  }
};
struct ImadOp {
  static __device__ std::uint32_t run(std::uint32_t x, std::uint32_t a, std::uint32_t b, int) {
    return x * a + b;
  }
};
struct LogicOp {
  static __device__ std::uint32_t run(std::uint32_t x, std::uint32_t a, std::uint32_t b, int) {
    std::uint32_t out;
    asm volatile("lop3.b32 %0, %1, %2, %3, 0x6a;" : "=r"(out) : "r"(x), "r"(a), "r"(b));
    return out;
  }
};
struct ShiftOp {
  static __device__ std::uint32_t run(std::uint32_t x, std::uint32_t a, std::uint32_t b, int) {
    return __funnelshift_l(x, a, b);
  }
};
struct SpecialOp {
  static __device__ std::uint32_t run(std::uint32_t x, std::uint32_t, std::uint32_t, int) {
    float out;
    asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=f"(out) : "f"(__uint_as_float(x)));
    return __float_as_uint(out);
  }
};
struct ShuffleOp {
  static __device__ std::uint32_t run(std::uint32_t x, std::uint32_t a, std::uint32_t, int) {
    return __shfl_xor_sync(0xffffffffu, x, static_cast<int>(a & 31u));
  }
};
struct FmaLogicOp {  // every other one: two pipes, one issue slot
  static __device__ std::uint32_t run(std::uint32_t x, std::uint32_t a, std::uint32_t b, int i) {
    return i % 2 ? LogicOp::run(x, a, b, i) : FmaOp::run(x, a, b, i);
  }
};

template <class Op>
__global__ void rate(std::uint32_t x, std::uint32_t a, std::uint32_t b, std::uint32_t* sink,
                     long long* cycles) {
  std::uint32_t chain[kChains];
  for (int c = 0; c < kChains; ++c) chain[c] = x + threadIdx.x + c;
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
#pragma unroll
      for (int c = 0; c < kChains; ++c) chain[c] = Op::run(chain[c], a, b, c);
    }
  }
  __syncthreads();
  const long long stop = clock64();
  std::uint32_t sum = 0;
  for (int c = 0; c < kChains; ++c) sum += chain[c];
  sink[threadIdx.x] = sum;
  if (threadIdx.x == 0) cycles[0] = stop - start;
}

template <class Op>
void add_rate(Bench& bench, const char* op, std::uint32_t x, std::uint32_t a, std::uint32_t b,
              std::vector<MicroValue>& out) {
  for (const int warps : {1, 2, 4, 8, 16, 32}) {
    Sampled s = sample([&] {
      return bench.cycles_of([&] {
        rate<Op><<<1, 32 * warps, 0, bench.stream()>>>(x, a, b, bench.sink(), bench.cycles());
      });
    }, 7);
    s.median = static_cast<double>(warps) * kChains * kRounds * kUnroll / s.median;
    bench.add(out, "pipe_rate", {{"op", op}, {"warps", "", warps}}, s, "warp instruction/cycle");
  }
}

std::vector<MicroValue> run_rates(Bench& bench) {
  constexpr std::uint32_t kOne = 0x3f800000u, kSmall = 0x33000000u;
  std::vector<MicroValue> out;
  add_rate<FmaOp>(bench, "fp32_fma", kOne, kOne, kSmall, out);
  add_rate<ImadOp>(bench, "int_mad", 3, 5, 7, out);
  add_rate<LogicOp>(bench, "int_logic", 3, 0xfffffff5u, 7, out);
  add_rate<ShiftOp>(bench, "int_shift", 3, 0x12345u, 5, out);
  add_rate<SpecialOp>(bench, "special_ex2", kOne, 0, 0, out);
  add_rate<ShuffleOp>(bench, "shuffle", 3, 1, 0, out);
  add_rate<FmaLogicOp>(bench, "fma_and_logic", kOne, kOne, kSmall, out);
  return out;
}

constexpr int kPortWarps = 16;
constexpr int kPortRounds = 64;
constexpr int kPortLoads = 16;

__global__ void shared_loads(int stride, std::uint32_t* sink, long long* cycles) {
  __shared__ std::uint32_t words[32 * 32 + kPortLoads];
  for (unsigned i = threadIdx.x; i < 32 * 32 + kPortLoads; i += blockDim.x) words[i] = i;
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  const auto at = static_cast<std::uint32_t>(__cvta_generic_to_shared(words)) +
                  4u * ((lane * static_cast<unsigned>(stride)) % (32u * 32u));
  std::uint32_t sum[kPortLoads] = {};
  const long long start = clock64();
#pragma unroll 1
  for (int round = 0; round < kPortRounds; ++round) {
#pragma unroll
    for (int i = 0; i < kPortLoads; ++i) {
      std::uint32_t value;
      asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(value) : "r"(at + 4u * i));
      sum[i] += value;
    }
  }
  __syncthreads();
  const long long stop = clock64();
  for (int i = 1; i < kPortLoads; ++i) sum[0] += sum[i];
  sink[threadIdx.x] = sum[0];
  if (threadIdx.x == 0) cycles[0] = stop - start;
}

// `step` is 0: only the host knows, so that loads of later rounds are not those of earlier ones.
__global__ void l1_loads(const std::uint32_t* words, int stride, int step, std::uint32_t* sink,
                         long long* cycles) {
  const unsigned lane = threadIdx.x % 32;
  const std::uint32_t* at = words + lane * static_cast<unsigned>(stride);
  std::uint32_t sum[kPortLoads] = {};
  for (int i = 0; i < kPortLoads; ++i) sum[i] += __ldca(at + i);  // now in L1
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int round = 0; round < kPortRounds; ++round, at += step) {
#pragma unroll
    for (int i = 0; i < kPortLoads; ++i) {
      std::uint32_t value;
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(at + i));
      sum[i] += value;
    }
  }
  __syncthreads();
  const long long stop = clock64();
  for (int i = 1; i < kPortLoads; ++i) sum[0] += sum[i];
  sink[threadIdx.x] = sum[0];
  if (threadIdx.x == 0) cycles[0] = stop - start;
}

constexpr double kPerLoad = 1.0 / (kPortWarps * kPortRounds * kPortLoads);

std::vector<MicroValue> run_shared_stride(Bench& bench) {
  std::vector<MicroValue> out;
  for (int stride = 0; stride <= 33; ++stride) {
    const Sampled s = sample([&] {
      return bench.cycles_of([&] {
        shared_loads<<<1, 32 * kPortWarps, 0, bench.stream()>>>(stride, bench.sink(), bench.cycles());
      });
    }, 7);
    bench.add(out, "shared_stride", {{"stride_words", "", stride}}, s, "cycle/warp load", kPerLoad);
  }
  return out;
}

std::vector<MicroValue> run_l1_stride(Bench& bench) {
  std::vector<MicroValue> out;
  DeviceWords words(32 * 32 + kPortLoads);
  words.upload(std::vector<std::uint32_t>(words.size(), 1));
  for (int stride = 0; stride <= 32; ++stride) {
    const Sampled s = sample([&] {
      return bench.cycles_of([&] {
        l1_loads<<<1, 32 * kPortWarps, 0, bench.stream()>>>(words.get(), stride, 0, bench.sink(),
                                                            bench.cycles());
      });
    }, 7);
    bench.add(out, "l1_stride", {{"stride_words", "", stride}}, s, "cycle/warp load", kPerLoad);
  }
  return out;
}

const bool kRegistered = register_microbenchmark("pipe_rate", run_rates) &&
                         register_microbenchmark("shared_stride", run_shared_stride) &&
                         register_microbenchmark("l1_stride", run_l1_stride);

}  // namespace
}  // namespace pnsim::gpu
