// Pairs of halves, single precision and the special functions by kind: latency and rate.
#include "gpu/microbench/unit_operations.cuh"

namespace pnsim::gpu {
namespace {

using Word = std::uint32_t;
constexpr Word kHalfOnes = 0x3c003c00u, kBfloatOnes = 0x3f803f80u;

PNSIM_UNIT_OP_80(HalfFma, Word, "r", kHalfOnes, kHalfOnes, 0, "fma.rn.f16x2 %0, %0, %1, %2;")
PNSIM_UNIT_OP_80(HalfAdd, Word, "r", kHalfOnes, kHalfOnes, 0, "add.rn.f16x2 %0, %0, %2;")
PNSIM_UNIT_OP_80(HalfMul, Word, "r", kHalfOnes, kHalfOnes, 0, "mul.rn.f16x2 %0, %0, %1;")
// Two instructions: one kind alone would be merged with itself.
PNSIM_UNIT_OP_80(HalfMaxMin, Word, "r", kHalfOnes, kHalfOnes, 0,
                 "max.f16x2 %0, %0, %1; min.f16x2 %0, %0, %2;")
PNSIM_UNIT_OP_80(BfloatFma, Word, "r", kBfloatOnes, kBfloatOnes, 0, "fma.rn.bf16x2 %0, %0, %1, %2;")
PNSIM_UNIT_OP_80(BfloatMaxMin, Word, "r", kBfloatOnes, kBfloatOnes, 0,
                 "max.bf16x2 %0, %0, %1; min.bf16x2 %0, %0, %2;")

PNSIM_UNIT_OP(Fma, float, "f", 1, 1, 0, "fma.rn.f32 %0, %0, %1, %2;")
PNSIM_UNIT_OP(Add, float, "f", 1, 1, 0, "add.rn.f32 %0, %0, %2;")
PNSIM_UNIT_OP(Mul, float, "f", 1, 1, 0, "mul.rn.f32 %0, %0, %1;")
PNSIM_UNIT_OP(Max, float, "f", 1, 1, 0, "max.f32 %0, %0, %1;")
PNSIM_UNIT_OP(Select, float, "f", 1, 1, 0,
              "{ .reg .pred p; setp.lt.f32 p, %0, %1; selp.f32 %0, %2, %1, p; }")
PNSIM_UNIT_OP(Divide, float, "f", 1, 1, 0, "div.rn.f32 %0, %0, %1;")
PNSIM_UNIT_OP(RootExact, float, "f", 1, 1, 0, "sqrt.rn.f32 %0, %0;")

PNSIM_UNIT_OP(Ex2, float, "f", 1, 1, 0, "ex2.approx.ftz.f32 %0, %0;")
PNSIM_UNIT_OP(Lg2, float, "f", 1, 1, 0, "lg2.approx.ftz.f32 %0, %0;")
// With an addition: the reciprocal of a reciprocal would be folded.
PNSIM_UNIT_OP(Rcp, float, "f", 1, 1, 0, "rcp.approx.ftz.f32 %0, %0; add.ftz.f32 %0, %0, %2;")
PNSIM_UNIT_OP(Rsq, float, "f", 1, 1, 0, "rsqrt.approx.ftz.f32 %0, %0;")
PNSIM_UNIT_OP(Sqrt, float, "f", 1, 1, 0, "sqrt.approx.ftz.f32 %0, %0;")
PNSIM_UNIT_OP(Sin, float, "f", 1, 1, 0, "sin.approx.ftz.f32 %0, %0;")  // with its scaling
PNSIM_UNIT_OP_80(Tanh, float, "f", 1, 1, 0, "tanh.approx.f32 %0, %0;")
PNSIM_UNIT_OP_80(HalfEx2, Word, "r", kHalfOnes, 0, 0, "ex2.approx.f16x2 %0, %0;")
PNSIM_UNIT_OP_80(HalfTanh, Word, "r", kHalfOnes, 0, 0, "tanh.approx.f16x2 %0, %0;")

std::vector<MicroSetting> op(const char* name) { return {{"op", name}}; }

template <class Op, int kSteps = 128>
void add_one(Bench& bench, const char* name, bool rate, std::vector<MicroValue>& out) {
  if (rate) {
    add_unit_rate<Op, 4, kSteps / 8>(bench, "float_unit_rate", op(name), out);
  } else {
    add_unit_latency<Op, kSteps>(bench, "float_unit_latency", op(name), out);
  }
}

std::vector<MicroValue> run(Bench& bench, bool rate) {
  std::vector<MicroValue> out;
  add_one<Fma>(bench, "fma_f32", rate, out);
  add_one<Add>(bench, "add_f32", rate, out);
  add_one<Mul>(bench, "mul_f32", rate, out);
  add_one<Max>(bench, "max_f32", rate, out);
  add_one<Select>(bench, "compare_and_select_f32", rate, out);
  // A dozen instructions each: fewer steps, so that the code stays in the instruction cache.
  add_one<Divide, 16>(bench, "divide_f32", rate, out);
  add_one<RootExact, 16>(bench, "sqrt_rounded_f32", rate, out);
  add_one<Ex2>(bench, "ex2", rate, out);
  add_one<Lg2>(bench, "lg2", rate, out);
  add_one<Rcp>(bench, "rcp_and_add", rate, out);
  add_one<Rsq>(bench, "rsq", rate, out);
  add_one<Sqrt>(bench, "sqrt", rate, out);
  add_one<Sin>(bench, "sin_and_scaling", rate, out);
  if (!bench.has_capability(80, "arithmetic on pairs of halves")) return out;
  add_one<Tanh>(bench, "tanh", rate, out);
  add_one<HalfEx2>(bench, "ex2_f16x2", rate, out);
  add_one<HalfTanh>(bench, "tanh_f16x2", rate, out);
  add_one<HalfFma>(bench, "fma_f16x2", rate, out);
  add_one<HalfAdd>(bench, "add_f16x2", rate, out);
  add_one<HalfMul>(bench, "mul_f16x2", rate, out);
  add_one<HalfMaxMin>(bench, "max_and_min_f16x2", rate, out);
  add_one<BfloatFma>(bench, "fma_bf16x2", rate, out);
  add_one<BfloatMaxMin>(bench, "max_and_min_bf16x2", rate, out);
  return out;
}

std::vector<MicroValue> run_latency(Bench& bench) { return run(bench, false); }
std::vector<MicroValue> run_rate(Bench& bench) { return run(bench, true); }

const bool kRegistered = register_microbenchmark("float_unit_latency", run_latency) &&
                         register_microbenchmark("float_unit_rate", run_rate);

}  // namespace
}  // namespace pnsim::gpu
