// Dependent arithmetic: one warp, one chain. The loop overhead is small against 256 links.
#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kLinks = 256;
constexpr int kRounds = 16;

// One link of a chain. The operands come from the host, so that the compiler cannot fold links.
struct Fma {
  static __device__ std::uint32_t link(std::uint32_t x, std::uint32_t a, std::uint32_t b) {
    return __float_as_uint(fmaf(__uint_as_float(x), __uint_as_float(a), __uint_as_float(b)));
  }
};
struct Imad {
  static __device__ std::uint32_t link(std::uint32_t x, std::uint32_t a, std::uint32_t b) {
    return x * a + b;
  }
};
struct Lop3 {  // (x and a) xor b: two links cannot be folded into one
  static __device__ std::uint32_t link(std::uint32_t x, std::uint32_t a, std::uint32_t b) {
    std::uint32_t out;
    asm volatile("lop3.b32 %0, %1, %2, %3, 0x6a;" : "=r"(out) : "r"(x), "r"(a), "r"(b));
    return out;
  }
};
struct Shift {
  static __device__ std::uint32_t link(std::uint32_t x, std::uint32_t a, std::uint32_t b) {
    return __funnelshift_l(x, a, b);
  }
};
struct Rsqrt {
  static __device__ std::uint32_t link(std::uint32_t x, std::uint32_t, std::uint32_t) {
    float out;
    asm volatile("rsqrt.approx.f32 %0, %1;" : "=f"(out) : "f"(__uint_as_float(x)));
    return __float_as_uint(out);
  }
};
struct RsqrtFlushed {  // only the special function unit
  static __device__ std::uint32_t link(std::uint32_t x, std::uint32_t, std::uint32_t) {
    float out;
    asm volatile("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(out) : "f"(__uint_as_float(x)));
    return __float_as_uint(out);
  }
};
struct Convert {  // to integer and back: two conversions
  static __device__ std::uint32_t link(std::uint32_t x, std::uint32_t, std::uint32_t) {
    float out;
    asm volatile("{ .reg .u32 t; cvt.rzi.u32.f32 t, %1; cvt.rn.f32.u32 %0, t; }"
                 : "=f"(out)
                 : "f"(__uint_as_float(x)));
    return __float_as_uint(out);
  }
};
struct CountBits {
  static __device__ std::uint32_t link(std::uint32_t x, std::uint32_t, std::uint32_t) {
    std::uint32_t out;
    asm volatile("popc.b32 %0, %1;" : "=r"(out) : "r"(x));
    return out;
  }
};
struct Guarded {  // a comparison, and an addition predicated by it
  static __device__ std::uint32_t link(std::uint32_t x, std::uint32_t a, std::uint32_t b) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, %1; @p add.u32 %0, %0, %2; }"
                 : "+r"(x)
                 : "r"(a), "r"(b));
    return x;
  }
};
struct Selected {  // a comparison, and a select by it
  static __device__ std::uint32_t link(std::uint32_t x, std::uint32_t a, std::uint32_t b) {
    std::uint32_t out;
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, %2; selp.u32 %0, %1, %3, p; }"
                 : "=r"(out)
                 : "r"(x), "r"(a), "r"(b));
    return out;
  }
};
template <class First, class Second>
struct Turns {  // two kinds alternate: from one pipe to the other and back
  static __device__ std::uint32_t link(std::uint32_t x, std::uint32_t a, std::uint32_t b) {
    return Second::link(First::link(x, a, b), a, b);
  }
};
struct WideMad {
  static __device__ std::uint32_t link(std::uint32_t x, std::uint32_t a, std::uint32_t b) {
    unsigned long long out;
    asm volatile("mad.wide.u32 %0, %1, %2, %3;"
                 : "=l"(out)
                 : "r"(x), "r"(a), "l"(static_cast<unsigned long long>(b)));
    return static_cast<std::uint32_t>(out);
  }
};
struct Shuffle {
  static __device__ std::uint32_t link(std::uint32_t x, std::uint32_t a, std::uint32_t) {
    return __shfl_xor_sync(0xffffffffu, x, static_cast<int>(a & 31u));
  }
};

template <class Op>
__global__ void chain(std::uint32_t x, std::uint32_t a, std::uint32_t b, std::uint32_t* sink,
                      long long* cycles) {
  x += threadIdx.x;
  const long long start = clock64();
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
#pragma unroll
    for (int i = 0; i < kLinks; ++i) x = Op::link(x, a, b);
  }
  sink[threadIdx.x] = x;
  cycles[0] = clock64() - start;
}

__global__ void chain_double(double x, double a, double b, std::uint32_t* sink, long long* cycles) {
  x += threadIdx.x;
  const long long start = clock64();
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
#pragma unroll
    for (int i = 0; i < kLinks; ++i) x = fma(x, a, b);
  }
  sink[threadIdx.x] = static_cast<std::uint32_t>(x);
  cycles[0] = clock64() - start;
}

constexpr double kPerLink = 1.0 / (kLinks * kRounds);

template <class Op>
void add_chain(Bench& bench, const char* op, std::uint32_t x, std::uint32_t a, std::uint32_t b,
               std::vector<MicroValue>& out) {
  const Sampled s = sample([&] {
    return bench.cycles_of(
        [&] { chain<Op><<<1, 32, 0, bench.stream()>>>(x, a, b, bench.sink(), bench.cycles()); });
  });
  bench.add(out, "latency_arithmetic", {{"op", op}}, s, "cycle", kPerLink);
}

std::vector<MicroValue> run(Bench& bench) {
  constexpr std::uint32_t kOne = 0x3f800000u, kSmall = 0x33000000u;  // 1.0f and about 3e-8f
  std::vector<MicroValue> out;
  add_chain<Fma>(bench, "fp32_fma", kOne, kOne, kSmall, out);
  add_chain<Imad>(bench, "int_mad", 3, 5, 7, out);
  add_chain<Lop3>(bench, "int_logic", 3, 0xfffffff5u, 7, out);
  add_chain<Shift>(bench, "int_shift", 3, 0x12345u, 5, out);
  add_chain<Rsqrt>(bench, "special_rsqrt", kOne, 0, 0, out);
  add_chain<RsqrtFlushed>(bench, "special_rsqrt_flushed", kOne, 0, 0, out);
  add_chain<Convert>(bench, "convert_and_back", kOne, 0, 0, out);
  add_chain<CountBits>(bench, "special_popc", 3, 0, 0, out);
  add_chain<Guarded>(bench, "compare_and_guarded_add", 3, 5, 7, out);
  add_chain<Selected>(bench, "compare_and_select", 3, 5, 7, out);
  add_chain<Turns<Fma, Lop3>>(bench, "fp32_fma_and_logic", kOne, 0xffffffffu, 0, out);
  add_chain<Turns<Imad, Lop3>>(bench, "int_mad_and_logic", 3, 5, 7, out);
  add_chain<WideMad>(bench, "int_mad_wide", 3, 5, 7, out);
  add_chain<Shuffle>(bench, "shuffle", 3, 1, 0, out);
  const Sampled s = sample([&] {
    return bench.cycles_of([&] {
      chain_double<<<1, 32, 0, bench.stream()>>>(1.0, 1.0, 1e-9, bench.sink(), bench.cycles());
    });
  });
  bench.add(out, "latency_arithmetic", {{"op", "fp64_fma"}}, s, "cycle", kPerLink);
  return out;
}

constexpr int kBody = 8;
constexpr int kIfs = 32;

// An if with an else, repeated: each side has kBody dependent multiply-adds. The lowest bit of a
// lane's own value decides, and the arithmetic does not change that bit.
__global__ void ifs(std::uint32_t odd_lanes, float one, float zero, std::uint32_t* sink,
                    long long* cycles) {
  std::uint32_t x = 0x3f800000u + (odd_lanes >> (threadIdx.x % 32) & 1u);
  const long long start = clock64();
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
#pragma unroll
    for (int i = 0; i < kIfs; ++i) {
      float y = __uint_as_float(x);
      if (x & 1u) {
#pragma unroll
        for (int k = 0; k < kBody; ++k) {
          asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(y) : "f"(one), "f"(zero));
        }
      } else {
#pragma unroll
        for (int k = 0; k < kBody; ++k) {
          asm volatile("fma.rn.f32 %0, %1, %0, %2;" : "+f"(y) : "f"(one), "f"(zero));
        }
      }
      x = __float_as_uint(y);
    }
  }
  cycles[0] = clock64() - start;
  sink[threadIdx.x] = x;
}

std::vector<MicroValue> run_ifs(Bench& bench) {
  std::vector<MicroValue> out;
  const struct {
    const char* lanes;
    std::uint32_t odd;
  } kKinds[] = {{"none", 0}, {"all", 0xffffffffu}, {"half", 0x0000ffffu}};
  for (const auto& kind : kKinds) {
    const Sampled s = sample([&] {
      return bench.cycles_of([&] {
        ifs<<<1, 32, 0, bench.stream()>>>(kind.odd, 1.0f, -0.0f, bench.sink(), bench.cycles());
      });
    });
    bench.add(out, "if_else", {{"taken_by", kind.lanes}}, s, "cycle", 1.0 / (kIfs * kRounds));
  }
  return out;
}

__global__ void read_clock_twice(std::uint32_t* sink, long long* cycles) {
  const long long first = clock64();
  const long long second = clock64();
  const std::uint32_t third = clock();
  const std::uint32_t fourth = clock();
  cycles[0] = second - first;
  sink[0] = fourth - third;
}

std::vector<MicroValue> run_clock(Bench& bench) {
  std::vector<MicroValue> out;
  const auto launch = [&] {
    read_clock_twice<<<1, 1, 0, bench.stream()>>>(bench.sink(), bench.cycles());
  };
  bench.add(out, "clock_cost", {{"clock", "clock64"}},
            sample([&] { return bench.cycles_of(launch); }), "cycle");
  const Sampled narrow = sample([&] {
    bench.cycles_of(launch);
    std::uint32_t cycles = 0;
    PNSIM_CUDA(cudaMemcpy(&cycles, bench.sink(), sizeof cycles, cudaMemcpyDeviceToHost));
    return static_cast<double>(cycles);
  });
  bench.add(out, "clock_cost", {{"clock", "clock"}}, narrow, "cycle");
  return out;
}

const bool kRegistered = register_microbenchmark("latency_arithmetic", run) &&
                         register_microbenchmark("if_else", run_ifs) &&
                         register_microbenchmark("clock_cost", run_clock);

}  // namespace
}  // namespace pnsim::gpu
