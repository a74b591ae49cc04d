// Matrix products of a warp (mma.sync), by shape and type: the latency from accumulator to
// accumulator, and the cycles that a product occupies the tensor core of a scheduler.
#include "gpu/microbench/unit_steps.cuh"
#include "gpu/ptx/architecture.cuh"

namespace pnsim::gpu {
namespace {

// A product with kD accumulators of 32 bits, kA and kB operands.
template <int kD, int kA, int kB>
struct Fragments {
  std::uint32_t d[kD], a[kA], b[kB];
};

// The operands differ between lanes and come from the host, so they stay in registers.
template <class State>
__device__ void start_fragments(State& s, std::uint32_t seed) {
  for (std::uint32_t& word : s.d) word = seed;
  for (std::uint32_t& word : s.a) word = seed * threadIdx.x;
  for (std::uint32_t& word : s.b) word = seed * (threadIdx.x + 1);
}

template <class State>
__device__ std::uint32_t word_of(const State& s) {
  std::uint32_t word = 0;
  for (const std::uint32_t d : s.d) word ^= d;
  return word;
}

#define PNSIM_MMA_OP(NAME, D, A, B)                                                          \
  struct NAME {                                                                              \
    using State = Fragments<D, A, B>;                                                        \
    static __device__ void start(State& s, std::uint32_t seed) { start_fragments(s, seed); } \
    static __device__ std::uint32_t word(const State& s) { return word_of(s); }              \
    static __device__ void step(State& s);                                                   \
  };                                                                                         \
  __device__ void NAME::step(State& s)

#define PNSIM_MMA_4_4_2(NAME, WHAT)                                                                \
  PNSIM_MMA_OP(NAME, 4, 4, 2) {                                                                    \
    PNSIM_ASM_80("mma.sync.aligned." WHAT " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
                 : "+r"(s.d[0]), "+r"(s.d[1]), "+r"(s.d[2]), "+r"(s.d[3])                          \
                 : "r"(s.a[0]), "r"(s.a[1]), "r"(s.a[2]), "r"(s.a[3]), "r"(s.b[0]), "r"(s.b[1]));  \
  }
#define PNSIM_MMA_4_2_1(NAME, WHAT)                                                       \
  PNSIM_MMA_OP(NAME, 4, 2, 1) {                                                           \
    PNSIM_ASM_80("mma.sync.aligned." WHAT " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};" \
                 : "+r"(s.d[0]), "+r"(s.d[1]), "+r"(s.d[2]), "+r"(s.d[3])                 \
                 : "r"(s.a[0]), "r"(s.a[1]), "r"(s.b[0]));                                \
  }

PNSIM_MMA_4_4_2(F16ToF32K16, "m16n8k16.row.col.f32.f16.f16.f32")
PNSIM_MMA_4_2_1(F16ToF32K8, "m16n8k8.row.col.f32.f16.f16.f32")
PNSIM_MMA_4_4_2(Bf16K16, "m16n8k16.row.col.f32.bf16.bf16.f32")
PNSIM_MMA_4_2_1(Bf16K8, "m16n8k8.row.col.f32.bf16.bf16.f32")
PNSIM_MMA_4_4_2(Tf32K8, "m16n8k8.row.col.f32.tf32.tf32.f32")
PNSIM_MMA_4_2_1(Tf32K4, "m16n8k4.row.col.f32.tf32.tf32.f32")
PNSIM_MMA_4_4_2(Int8K32, "m16n8k32.row.col.s32.s8.s8.s32")
PNSIM_MMA_4_2_1(Int8K16, "m16n8k16.row.col.s32.s8.s8.s32")

PNSIM_MMA_OP(F16ToF16K16, 2, 4, 2) {
  PNSIM_ASM_80(
      "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
      : "+r"(s.d[0]), "+r"(s.d[1])
      : "r"(s.a[0]), "r"(s.a[1]), "r"(s.a[2]), "r"(s.a[3]), "r"(s.b[0]), "r"(s.b[1]));
}
PNSIM_MMA_OP(F16ToF16K8, 2, 2, 1) {
  PNSIM_ASM_80("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3}, {%4}, {%0,%1};"
               : "+r"(s.d[0]), "+r"(s.d[1])
               : "r"(s.a[0]), "r"(s.a[1]), "r"(s.b[0]));
}
// The result is an operand of the next product instead of its accumulator.
PNSIM_MMA_OP(F16ToF16K16Operand, 2, 4, 2) {
  PNSIM_ASM_80(
      "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%0,%1,%2,%3}, {%4,%5}, {%6,%7};"
      : "+r"(s.d[0]), "+r"(s.d[1])
      : "r"(s.a[2]), "r"(s.a[3]), "r"(s.b[0]), "r"(s.b[1]), "r"(s.a[0]), "r"(s.a[1]));
}

template <int kD, int kA, int kB>
struct DoubleFragments {
  double d[kD], a[kA], b[kB];
};

template <class State>
__device__ void start_doubles(State& s, std::uint32_t seed) {
  for (double& number : s.d) number = seed;
  for (double& number : s.a) number = seed * threadIdx.x;
  for (double& number : s.b) number = seed * (threadIdx.x + 1);
}

template <class State>
__device__ std::uint32_t word_of_doubles(const State& s) {
  double sum = 0;
  for (const double d : s.d) sum += d;
  return static_cast<std::uint32_t>(__double2loint(sum));
}

#define PNSIM_MMA_DOUBLE(NAME, D, A, B)                                                    \
  struct NAME {                                                                            \
    using State = DoubleFragments<D, A, B>;                                                \
    static __device__ void start(State& s, std::uint32_t seed) { start_doubles(s, seed); } \
    static __device__ std::uint32_t word(const State& s) { return word_of_doubles(s); }    \
    static __device__ void step(State& s);                                                 \
  };                                                                                       \
  __device__ void NAME::step(State& s)

PNSIM_MMA_DOUBLE(Fp64K4, 2, 1, 1) {
  PNSIM_ASM_80("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+d"(s.d[0]), "+d"(s.d[1])
               : "d"(s.a[0]), "d"(s.b[0]));
}
PNSIM_MMA_DOUBLE(Fp64K16, 4, 8, 4) {
  PNSIM_ASM_90(
      "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, "
      "{%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, {%0,%1,%2,%3};"
      : "+d"(s.d[0]), "+d"(s.d[1]), "+d"(s.d[2]), "+d"(s.d[3])
      : "d"(s.a[0]), "d"(s.a[1]), "d"(s.a[2]), "d"(s.a[3]), "d"(s.a[4]), "d"(s.a[5]), "d"(s.a[6]),
        "d"(s.a[7]), "d"(s.b[0]), "d"(s.b[1]), "d"(s.b[2]), "d"(s.b[3]));
}

std::vector<MicroSetting> settings_of(const char* shape, const char* type) {
  return {{"shape", shape}, {"type", type}};
}

std::vector<MicroValue> run_latency(Bench& bench) {
  constexpr const char* kName = "mma_latency";
  std::vector<MicroValue> out;
  if (!bench.has_capability(80, "mma.sync of these shapes")) return out;
  add_unit_latency<F16ToF32K16, 32>(bench, kName, settings_of("m16n8k16", "f16_to_f32"), out);
  add_unit_latency<F16ToF32K8, 32>(bench, kName, settings_of("m16n8k8", "f16_to_f32"), out);
  add_unit_latency<F16ToF16K16, 32>(bench, kName, settings_of("m16n8k16", "f16_to_f16"), out);
  add_unit_latency<F16ToF16K8, 32>(bench, kName, settings_of("m16n8k8", "f16_to_f16"), out);
  add_unit_latency<F16ToF16K16Operand, 32>(bench, kName,
                                           settings_of("m16n8k16", "f16_to_f16_operand"), out);
  add_unit_latency<Bf16K16, 32>(bench, kName, settings_of("m16n8k16", "bf16_to_f32"), out);
  add_unit_latency<Bf16K8, 32>(bench, kName, settings_of("m16n8k8", "bf16_to_f32"), out);
  add_unit_latency<Tf32K8, 32>(bench, kName, settings_of("m16n8k8", "tf32_to_f32"), out);
  add_unit_latency<Tf32K4, 32>(bench, kName, settings_of("m16n8k4", "tf32_to_f32"), out);
  add_unit_latency<Int8K32, 32>(bench, kName, settings_of("m16n8k32", "s8_to_s32"), out);
  add_unit_latency<Int8K16, 32>(bench, kName, settings_of("m16n8k16", "s8_to_s32"), out);
  add_unit_latency<Fp64K4, 32>(bench, kName, settings_of("m8n8k4", "f64"), out);
  if (bench.has_capability(90, "m16n8k16 of f64"))
    add_unit_latency<Fp64K16, 32>(bench, kName, settings_of("m16n8k16", "f64"), out);
  return out;
}

std::vector<MicroValue> run_rate(Bench& bench) {
  constexpr const char* kName = "mma_rate";
  std::vector<MicroValue> out;
  if (!bench.has_capability(80, "mma.sync of these shapes")) return out;
  add_unit_rate<F16ToF32K16>(bench, kName, settings_of("m16n8k16", "f16_to_f32"), out);
  add_unit_rate<F16ToF32K8>(bench, kName, settings_of("m16n8k8", "f16_to_f32"), out);
  add_unit_rate<F16ToF16K16>(bench, kName, settings_of("m16n8k16", "f16_to_f16"), out);
  add_unit_rate<F16ToF16K8>(bench, kName, settings_of("m16n8k8", "f16_to_f16"), out);
  add_unit_rate<Bf16K16>(bench, kName, settings_of("m16n8k16", "bf16_to_f32"), out);
  add_unit_rate<Bf16K8>(bench, kName, settings_of("m16n8k8", "bf16_to_f32"), out);
  add_unit_rate<Tf32K8>(bench, kName, settings_of("m16n8k8", "tf32_to_f32"), out);
  add_unit_rate<Tf32K4>(bench, kName, settings_of("m16n8k4", "tf32_to_f32"), out);
  add_unit_rate<Int8K32>(bench, kName, settings_of("m16n8k32", "s8_to_s32"), out);
  add_unit_rate<Int8K16>(bench, kName, settings_of("m16n8k16", "s8_to_s32"), out);
  add_unit_rate<Fp64K4>(bench, kName, settings_of("m8n8k4", "f64"), out);
  if (bench.has_capability(90, "m16n8k16 of f64"))
    add_unit_rate<Fp64K16, 2, 8>(bench, kName, settings_of("m16n8k16", "f64"), out);
  return out;
}

const bool kRegistered = register_microbenchmark("mma_latency", run_latency) &&
                         register_microbenchmark("mma_rate", run_rate);

}  // namespace
}  // namespace pnsim::gpu
