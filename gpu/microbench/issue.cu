// Rates of one SM: instructions per cycle by class and number of warps.
#include "gpu/microbench/bench.cuh"
#include "gpu/microbench/operations.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kChains = 8;
constexpr int kRounds = 64;
constexpr int kUnroll = 16;

__constant__ std::uint32_t kZeros[64];

struct ConstantOp {  // a constant load at an index held in a register
  static __device__ std::uint32_t run(std::uint32_t x, std::uint32_t, std::uint32_t, int) {
    return kZeros[x];
  }
};

struct SpecialRegisterOp {  // a special register that is read every time
  static __device__ std::uint32_t run(std::uint32_t x, std::uint32_t, std::uint32_t, int) {
    std::uint32_t out;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(out));
    return x ^ out;
  }
};

// `own` makes a and b differ between threads, as far as the compiler knows, so they are in
// registers. Otherwise the compiler may read them from the kernel parameters. The chains start with
// different values, or with x for `first` = 0.
template <class Op, bool own>
__global__ void rate(std::uint32_t x, std::uint32_t a, std::uint32_t b, std::uint32_t zero,
                     std::uint32_t first, std::uint32_t* sink, long long* cycles) {
  std::uint32_t chain[kChains];
  for (int c = 0; c < kChains; ++c) chain[c] = x + first * (threadIdx.x + c);
  if (own) a += zero * threadIdx.x;
  if (own) b += zero * threadIdx.x;
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

template <class Op, bool own = false>
void add_rate(Bench& bench, const char* op, std::uint32_t x, std::uint32_t a, std::uint32_t b,
              std::vector<MicroValue>& out, std::uint32_t first = 1) {
  for (const int warps : {1, 2, 4, 8, 16, 32}) {
    Sampled s = sample(
        [&] {
          return bench.cycles_of([&] {
            rate<Op, own><<<1, 32 * warps, 0, bench.stream()>>>(x, a, b, 0, first, bench.sink(),
                                                                bench.cycles());
          });
        },
        7);
    s.median = static_cast<double>(warps) * kChains * kRounds * kUnroll / s.median;
    bench.add(out, "pipe_rate", {{"op", op}, {"warps", "", warps}}, s, "warp instruction/cycle");
  }
}

// Multiply-adds with three register operands, none of which is the result of the instruction
// before: the register file must deliver three operands per instruction.
__global__ void three_registers(float x, std::uint32_t* sink, long long* cycles) {
  constexpr int kOperands = 12;
  float chain[kChains], left[kOperands];
  for (int c = 0; c < kChains; ++c) chain[c] = x * static_cast<float>(threadIdx.x + c);
  for (int c = 0; c < kOperands; ++c) left[c] = x * static_cast<float>(threadIdx.x * c + 1);
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
#pragma unroll
      for (int c = 0; c < kChains; ++c) {
        const int i = u * kChains + c;
        asm volatile("fma.rn.f32 %0, %1, %2, %0;"
                     : "+f"(chain[c])
                     : "f"(left[i * 5 % kOperands]), "f"(left[(i * 7 + 3) % kOperands]));
      }
    }
  }
  __syncthreads();
  const long long stop = clock64();
  for (int c = 1; c < kChains; ++c) chain[0] += chain[c];
  sink[threadIdx.x] = __float_as_uint(chain[0]);
  if (threadIdx.x == 0) cycles[0] = stop - start;
}

void add_three_registers(Bench& bench, std::vector<MicroValue>& out) {
  for (const int warps : {1, 4, 16, 32}) {
    Sampled s = sample(
        [&] {
          return bench.cycles_of([&] {
            three_registers<<<1, 32 * warps, 0, bench.stream()>>>(1.0f, bench.sink(),
                                                                  bench.cycles());
          });
        },
        7);
    s.median = static_cast<double>(warps) * kChains * kRounds * kUnroll / s.median;
    bench.add(out, "pipe_rate", {{"op", "fp32_fma_3_registers"}, {"warps", "", warps}}, s,
              "warp instruction/cycle");
  }
}

// Seven multiply-adds and one instruction of another kind, repeated: the issue slots that the other
// instruction uses. 8 cycles per iteration mean one slot.
enum class Eighth {
  kFma,
  kLogic,
  kMad,
  kWideMad,
  kSharedLoad,
  kSharedStore,
  kSpecial,
  kSpecialRegister,
  kConstant,
  kVote
};

template <Eighth eighth>
__device__ void issue_eighth(std::uint32_t& other, unsigned long long& sum, std::uint32_t a,
                             std::uint32_t shared) {
  if (eighth == Eighth::kFma) other = FmaOp::run(other, a, a, 0);
  if (eighth == Eighth::kLogic) other = LogicOp::run(other, a, a, 0);
  if (eighth == Eighth::kMad) other = ImadOp::run(other, a, a, 0);
  if (eighth == Eighth::kWideMad) {
    asm volatile("mad.wide.u32 %0, %1, %2, %0;"
                 : "+l"(sum)
                 : "r"(static_cast<std::uint32_t>(sum)), "r"(a));
  }
  if (eighth == Eighth::kSharedLoad) {
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(other) : "r"(shared));
  }
  if (eighth == Eighth::kSharedStore) {
    asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(shared), "r"(a) : "memory");
  }
  if (eighth == Eighth::kSpecial) other = SpecialOp::run(other, a, a, 0);
  if (eighth == Eighth::kSpecialRegister) other = SpecialRegisterOp::run(other, a, a, 0);
  if (eighth == Eighth::kConstant) other = kZeros[other];
  if (eighth == Eighth::kVote) other = __ballot_sync(0xffffffffu, other == a);
}

template <Eighth eighth>
__global__ void issue_mix(float x, float y, std::uint32_t a, std::uint32_t* sink,
                          long long* cycles) {
  __shared__ std::uint32_t own[1024];
  own[threadIdx.x] = 0;
  const auto shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(own + threadIdx.x));
  constexpr int kOthers = 4;
  float chain[kChains - 1];
  std::uint32_t other[kOthers];
  unsigned long long sum[kOthers];
  for (int c = 0; c < kChains - 1; ++c) chain[c] = x + static_cast<float>(threadIdx.x + c);
  for (int c = 0; c < kOthers; ++c)
    sum[c] = other[c] = eighth == Eighth::kConstant ? 0 : threadIdx.x + c;
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
#pragma unroll
      for (int c = 0; c < kChains - 1; ++c) chain[c] = fmaf(chain[c], y, y);
      issue_eighth<eighth>(other[u % kOthers], sum[u % kOthers], a, shared);
    }
  }
  __syncthreads();
  const long long stop = clock64();
  for (int c = 1; c < kChains - 1; ++c) chain[0] += chain[c];
  for (int c = 1; c < kOthers; ++c) sum[0] += sum[c] + other[c];
  sink[threadIdx.x] =
      __float_as_uint(chain[0]) + static_cast<std::uint32_t>(sum[0] >> 3) + other[0];
  if (threadIdx.x == 0) cycles[0] = stop - start;
}

template <Eighth eighth>
void add_mix(Bench& bench, const char* op, std::vector<MicroValue>& out) {
  for (const int warps : {4, 16, 32}) {
    const Sampled s = sample(
        [&] {
          return bench.cycles_of([&] {
            issue_mix<eighth><<<1, 32 * warps, 0, bench.stream()>>>(1.0f, 1e-8f, 3, bench.sink(),
                                                                    bench.cycles());
          });
        },
        7);
    bench.add(out, "issue_mix", {{"eighth", op}, {"warps", "", warps}}, s, "cycle/8 instructions",
              4.0 / (warps * kRounds * kUnroll));
  }
}

// The same among logic instructions, which already saturate their pipe: does the other instruction
// wait too?
template <Eighth eighth>
__global__ void logic_mix(std::uint32_t a, std::uint32_t* sink, long long* cycles) {
  std::uint32_t chain[kChains - 1], other = threadIdx.x;
  unsigned long long sum = threadIdx.x;
  for (int c = 0; c < kChains - 1; ++c) chain[c] = threadIdx.x + c;
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
#pragma unroll
      for (int c = 0; c < kChains - 1; ++c) chain[c] = LogicOp::run(chain[c], a, a, 0);
      issue_eighth<eighth>(other, sum, a, 0);
    }
  }
  __syncthreads();
  const long long stop = clock64();
  for (int c = 1; c < kChains - 1; ++c) chain[0] += chain[c];
  sink[threadIdx.x] = chain[0] + static_cast<std::uint32_t>(sum >> 3) + other;
  if (threadIdx.x == 0) cycles[0] = stop - start;
}

template <Eighth eighth>
void add_logic_mix(Bench& bench, const char* op, std::vector<MicroValue>& out) {
  constexpr int kWarps = 32;
  const Sampled s = sample(
      [&] {
        return bench.cycles_of([&] {
          logic_mix<eighth><<<1, 32 * kWarps, 0, bench.stream()>>>(3, bench.sink(), bench.cycles());
        });
      },
      7);
  bench.add(out, "issue_mix", {{"among", "int_logic"}, {"eighth", op}, {"warps", "", kWarps}}, s,
            "cycle/8 instructions", 4.0 / (kWarps * kRounds * kUnroll));
}

std::vector<MicroValue> run_mix(Bench& bench) {
  std::vector<MicroValue> out;
  add_logic_mix<Eighth::kLogic>(bench, "int_logic", out);
  add_logic_mix<Eighth::kMad>(bench, "int_mad", out);
  add_logic_mix<Eighth::kWideMad>(bench, "int_mad_wide", out);
  add_mix<Eighth::kFma>(bench, "fp32_fma", out);
  add_mix<Eighth::kLogic>(bench, "int_logic", out);
  add_mix<Eighth::kMad>(bench, "int_mad", out);
  add_mix<Eighth::kWideMad>(bench, "int_mad_wide", out);
  add_mix<Eighth::kSharedLoad>(bench, "shared_load", out);
  add_mix<Eighth::kSharedStore>(bench, "shared_store", out);
  add_mix<Eighth::kSpecial>(bench, "special_ex2", out);
  add_mix<Eighth::kSpecialRegister>(bench, "special_register", out);
  add_mix<Eighth::kConstant>(bench, "constant_load", out);
  add_mix<Eighth::kVote>(bench, "vote", out);
  return out;
}

// 64-bit sums of 32-bit products, as in address computations.
__global__ void wide_rate(std::uint32_t a, std::uint32_t* sink, long long* cycles) {
  unsigned long long sum[kChains];
  for (int c = 0; c < kChains; ++c) sum[c] = threadIdx.x + c;
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
#pragma unroll
    for (int i = 0; i < kUnroll * kChains; ++i) {
      std::uint32_t other = 0;
      issue_eighth<Eighth::kWideMad>(other, sum[i % kChains], a, 0);
    }
  }
  __syncthreads();
  const long long stop = clock64();
  for (int c = 1; c < kChains; ++c) sum[0] += sum[c];
  sink[threadIdx.x] = static_cast<std::uint32_t>(sum[0] >> 3);
  if (threadIdx.x == 0) cycles[0] = stop - start;
}

void add_wide(Bench& bench, std::vector<MicroValue>& out) {
  for (const int warps : {1, 4, 16, 32}) {
    Sampled s = sample(
        [&] {
          return bench.cycles_of([&] {
            wide_rate<<<1, 32 * warps, 0, bench.stream()>>>(3, bench.sink(), bench.cycles());
          });
        },
        7);
    s.median = static_cast<double>(warps) * kChains * kRounds * kUnroll / s.median;
    bench.add(out, "pipe_rate", {{"op", "int_mad_wide"}, {"warps", "", warps}}, s,
              "warp instruction/cycle");
  }
}

std::vector<MicroValue> run_rates(Bench& bench) {
  constexpr std::uint32_t kOne = 0x3f800000u, kSmall = 0x33000000u;
  std::vector<MicroValue> out;
  add_rate<FmaOp>(bench, "fp32_fma", kOne, kOne, kSmall, out);
  add_rate<MovedFmaOp, true>(bench, "fp32_fma_registers", kOne, kOne, kSmall, out);
  add_rate<ImadOp>(bench, "int_mad", 3, 5, 7, out);
  add_rate<ImadOp, true>(bench, "int_mad_registers", 3, 5, 7, out);
  add_rate<HighMulOp>(bench, "int_mul_high", 3, 0xfffffff5u, 7, out);
  add_rate<MixOp<FmaOp, HighMulOp>>(bench, "fma_and_mul_high", kOne, kOne, kSmall, out);
  add_rate<AddOp>(bench, "int_add", 3, 5, 7, out);
  add_rate<AddOp, true>(bench, "int_add_registers", 3, 5, 7, out);
  add_rate<SelectOp>(bench, "compare_select", 3, 5, 7, out);
  add_rate<LogicOp>(bench, "int_logic", 3, 0xfffffff5u, 7, out);
  add_rate<ShiftOp>(bench, "int_shift", 3, 0x12345u, 5, out);
  add_rate<SpecialOp>(bench, "special_ex2", kOne, 0, 0, out);
  add_rate<ConvertOp>(bench, "special_convert", kOne, 0, 0, out);
  add_rate<CountBitsOp>(bench, "special_popc", 3, 0, 0, out);
  add_rate<SpecialRegisterOp>(bench, "special_register", 0, 0, 0, out);
  add_rate<ShuffleOp>(bench, "shuffle", 3, 1, 0, out);
  add_rate<ConstantOp>(bench, "constant_load", 0, 0, 0, out, 0);
  add_rate<MixOp<FmaOp, LogicOp>>(bench, "fma_and_logic", kOne, kOne, kSmall, out);
  add_rate<MixOp<FmaOp, ImadOp>>(bench, "fma_and_mad", kOne, kOne, kSmall, out);
  add_rate<MixOp<LogicOp, ImadOp>>(bench, "logic_and_mad", kOne, kOne, kSmall, out);
  add_wide(bench, out);
  add_three_registers(bench, out);
  return out;
}

const bool kRegistered = register_microbenchmark("issue_mix", run_mix) &&
                         register_microbenchmark("pipe_rate", run_rates);

}  // namespace
}  // namespace pnsim::gpu
