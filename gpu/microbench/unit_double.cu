// Double precision and conversions: latency and rate of each instruction.
#include "gpu/microbench/unit_operations.cuh"

namespace pnsim::gpu {
namespace {

PNSIM_UNIT_OP(DoubleFma, double, "d", 1, 1, 0, "fma.rn.f64 %0, %0, %1, %2;")
PNSIM_UNIT_OP(DoubleAdd, double, "d", 1, 1, 0, "add.rn.f64 %0, %0, %2;")
PNSIM_UNIT_OP(DoubleMul, double, "d", 1, 1, 0, "mul.rn.f64 %0, %0, %1;")
// A comparison, and two selections by it (the halves of the number).
PNSIM_UNIT_OP(DoubleSelect, double, "d", 1, 1, 0,
              "{ .reg .pred p; setp.lt.f64 p, %0, %1; selp.f64 %0, %2, %1, p; }")
PNSIM_UNIT_OP(DoubleReciprocal, double, "d", 1, 1, 0, "rcp.approx.ftz.f64 %0, %0;")
PNSIM_UNIT_OP(DoubleRsqrt, double, "d", 1, 1, 0, "rsqrt.approx.ftz.f64 %0, %0;")

// Conversions. The bits of a result are the next operand, taken as the other type: a chain without
// other instructions. Of a result of 64 bits it is the upper half, and an operand of 64 bits gets a
// lower half that stays the same.
using Word = std::uint32_t;
using LongWord = unsigned long long;

#define PNSIM_CONVERSION(NAME, TO, FROM) \
  PNSIM_UNIT_OP(NAME, Word, "r", 0, 0, 0, "cvt" TO FROM " %0, %0;")
#define PNSIM_WIDE_CONVERSION(NAME, TO, FROM) \
  PNSIM_UNIT_OP(NAME, LongWord, "l", 0, 0, 0, "cvt" TO FROM " %0, %0;")
#define PNSIM_WIDENING(NAME, TO, FROM)    \
  PNSIM_UNIT_OP(NAME, Word, "r", 0, 0, 0, \
                "{ .reg .b64 t; .reg .b32 l; cvt" TO FROM " t, %0; mov.b64 {l, %0}, t; }")
#define PNSIM_NARROWING(NAME, TO, FROM)                             \
  PNSIM_UNIT_OP(NAME, LongWord, "l", 0, 0, 0,                       \
                "{ .reg .b32 l, h; mov.b64 {l, h}, %0; cvt" TO FROM \
                " h, %0; mov.b64 %0, {l, h}; }")

PNSIM_WIDENING(FloatToDouble, ".f64", ".f32")
PNSIM_NARROWING(DoubleToFloat, ".rn.f32", ".f64")
PNSIM_CONVERSION(FloatToInt, ".rzi.s32", ".f32")
PNSIM_CONVERSION(IntToFloat, ".rn.f32", ".s32")
PNSIM_NARROWING(DoubleToInt, ".rzi.s32", ".f64")
PNSIM_WIDENING(IntToDouble, ".rn.f64", ".s32")
PNSIM_NARROWING(LongToFloat, ".rn.f32", ".s64")
PNSIM_WIDENING(FloatToLong, ".rzi.s64", ".f32")
PNSIM_WIDE_CONVERSION(LongToDouble, ".rn.f64", ".s64")
PNSIM_WIDE_CONVERSION(DoubleToLong, ".rzi.s64", ".f64")
PNSIM_UNIT_OP_80(FloatsToHalf2, Word, "r", 0, 0, 0, "cvt.rn.f16x2.f32 %0, %0, %2;")
PNSIM_UNIT_OP(HalfToFloat, Word, "r", 0, 0, 0,
              "{ .reg .b16 h, g; mov.b32 {h, g}, %0; cvt.f32.f16 %0, h; }")
PNSIM_CONVERSION(RoundFloat, ".rni.f32", ".f32")
PNSIM_WIDE_CONVERSION(RoundDouble, ".rni.f64", ".f64")

std::vector<MicroSetting> op(const char* name) { return {{"op", name}}; }

std::vector<MicroValue> run_latency(Bench& bench) {
  constexpr const char* kName = "fp64_unit_latency";
  std::vector<MicroValue> out;
  add_unit_latency<DoubleFma>(bench, kName, op("fma"), out);
  add_unit_latency<DoubleAdd>(bench, kName, op("add"), out);
  add_unit_latency<DoubleMul>(bench, kName, op("mul"), out);
  add_unit_latency<DoubleSelect>(bench, kName, op("compare_and_select"), out);
  add_unit_latency<DoubleReciprocal>(bench, kName, op("rcp64h"), out);
  add_unit_latency<DoubleRsqrt>(bench, kName, op("rsq64h"), out);
  return out;
}

std::vector<MicroValue> run_rate(Bench& bench) {
  constexpr const char* kName = "fp64_unit_rate";
  std::vector<MicroValue> out;
  add_unit_rate<DoubleFma>(bench, kName, op("fma"), out);
  add_unit_rate<DoubleAdd>(bench, kName, op("add"), out);
  add_unit_rate<DoubleMul>(bench, kName, op("mul"), out);
  add_unit_rate<DoubleSelect>(bench, kName, op("compare_and_select"), out);
  add_unit_rate<DoubleReciprocal>(bench, kName, op("rcp64h"), out);
  add_unit_rate<DoubleRsqrt>(bench, kName, op("rsq64h"), out);
  return out;
}

template <class Op>
void add_conversion(Bench& bench, const char* name, bool rate, std::vector<MicroValue>& out) {
  if (rate) {
    add_unit_rate<Op>(bench, "convert_rate", op(name), out);
  } else {
    add_unit_latency<Op>(bench, "convert_latency", op(name), out);
  }
}

std::vector<MicroValue> run_conversions(Bench& bench, bool rate) {
  std::vector<MicroValue> out;
  add_conversion<FloatToDouble>(bench, "f32_to_f64", rate, out);
  add_conversion<DoubleToFloat>(bench, "f64_to_f32", rate, out);
  add_conversion<FloatToInt>(bench, "f32_to_s32", rate, out);
  add_conversion<IntToFloat>(bench, "s32_to_f32", rate, out);
  add_conversion<DoubleToInt>(bench, "f64_to_s32", rate, out);
  add_conversion<IntToDouble>(bench, "s32_to_f64", rate, out);
  add_conversion<LongToFloat>(bench, "s64_to_f32", rate, out);
  add_conversion<FloatToLong>(bench, "f32_to_s64", rate, out);
  add_conversion<LongToDouble>(bench, "s64_to_f64", rate, out);
  add_conversion<DoubleToLong>(bench, "f64_to_s64", rate, out);
  add_conversion<FloatsToHalf2>(bench, "f32_to_f16x2", rate, out);
  add_conversion<HalfToFloat>(bench, "f16_to_f32", rate, out);
  add_conversion<RoundFloat>(bench, "round_f32", rate, out);
  add_conversion<RoundDouble>(bench, "round_f64", rate, out);
  return out;
}

std::vector<MicroValue> run_conversion_latency(Bench& bench) {
  return run_conversions(bench, false);
}
std::vector<MicroValue> run_conversion_rate(Bench& bench) { return run_conversions(bench, true); }

const bool kRegistered = register_microbenchmark("fp64_unit_latency", run_latency) &&
                         register_microbenchmark("fp64_unit_rate", run_rate) &&
                         register_microbenchmark("convert_latency", run_conversion_latency) &&
                         register_microbenchmark("convert_rate", run_conversion_rate);

}  // namespace
}  // namespace pnsim::gpu
