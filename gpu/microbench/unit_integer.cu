// Integer instructions and those that exchange words or predicates within a warp: latency and rate.
#include "gpu/microbench/unit_operations.cuh"

namespace pnsim::gpu {
namespace {

using Word = std::uint32_t;
using LongWord = unsigned long long;

PNSIM_UNIT_OP(Mad, Word, "r", 3, 5, 7, "mad.lo.u32 %0, %0, %1, %2;")
PNSIM_UNIT_OP(MadHigh, Word, "r", 3, 5, 7, "mad.hi.u32 %0, %0, %1, %2;")
PNSIM_UNIT_OP(MulHigh, Word, "r", 3, 0xfffffff5u, 7, "mul.hi.u32 %0, %0, %1;")
PNSIM_UNIT_OP(Add3, Word, "r", 3, 5, 7, "{ .reg .u32 t; add.u32 t, %0, %1; add.u32 %0, t, %2; }")
PNSIM_UNIT_OP(Dp4a, Word, "r", 3, 5, 7, "dp4a.u32.u32 %0, %0, %1, %2;")
PNSIM_UNIT_OP(Dp2a, Word, "r", 3, 5, 7, "dp2a.lo.u32.u32 %0, %0, %1, %2;")
PNSIM_UNIT_OP(Popc, Word, "r", 3, 5, 7, "popc.b32 %0, %0;")
PNSIM_UNIT_OP(Flo, Word, "r", 3, 5, 7, "bfind.u32 %0, %0;")
PNSIM_UNIT_OP(Brev, Word, "r", 3, 5, 7, "brev.b32 %0, %0;")
PNSIM_UNIT_OP(Prmt, Word, "r", 3, 5, 0x3654, "prmt.b32 %0, %0, %1, %2;")
PNSIM_UNIT_OP(Funnel, Word, "r", 3, 5, 7, "shf.l.wrap.b32 %0, %0, %1, %2;")
PNSIM_UNIT_OP(ShiftRight, Word, "r", 3, 5, 7, "shr.u32 %0, %0, %1;")
PNSIM_UNIT_OP(Lea, Word, "r", 3, 5, 7, "{ .reg .u32 t; shl.b32 t, %0, 2; add.u32 %0, t, %1; }")
// Two instructions: one kind alone would be merged with itself.
PNSIM_UNIT_OP(MaxMin, Word, "r", 3, 5, 7, "max.u32 %0, %0, %1; min.u32 %0, %0, %2;")
PNSIM_UNIT_OP(Logic, Word, "r", 3, 5, 7, "lop3.b32 %0, %0, %1, %2, 0x6a;")
PNSIM_UNIT_OP(Extract, Word, "r", 3, 5, 7, "bfe.u32 %0, %0, %1, %2;")
PNSIM_UNIT_OP(AddLong, LongWord, "l", 3, 5, 7, "add.u64 %0, %0, %1; xor.b64 %0, %0, %2;")
PNSIM_UNIT_OP(MadLong, LongWord, "l", 3, 5, 7, "mad.lo.u64 %0, %0, %1, %2;")
PNSIM_UNIT_OP(ShiftLong, LongWord, "l", 3, 5, 7,
              "{ .reg .u32 t; cvt.u32.u64 t, %1; shr.u64 %0, %0, t; }")

PNSIM_UNIT_OP(Ballot, Word, "r", 3, 5, 7,
              "{ .reg .pred p; setp.ne.u32 p, %0, %1; vote.sync.ballot.b32 %0, p, 0xffffffff; }")
PNSIM_UNIT_OP(Any, Word, "r", 3, 5, 7,
              "{ .reg .pred p, q; setp.ne.u32 p, %0, %1; vote.sync.any.pred q, p, 0xffffffff; "
              "selp.u32 %0, 1, 2, q; }")
PNSIM_UNIT_OP_80(MatchAny, Word, "r", 3, 5, 7, "match.any.sync.b32 %0, %0, 0xffffffff;")
PNSIM_UNIT_OP_80(MatchAll, Word, "r", 3, 5, 7, "match.all.sync.b32 %0, %0, 0xffffffff;")
PNSIM_UNIT_OP_80(Redux, Word, "r", 3, 5, 7, "redux.sync.add.u32 %0, %0, 0xffffffff;")
PNSIM_UNIT_OP_80(ReduxMax, Word, "r", 3, 5, 7, "redux.sync.max.u32 %0, %0, 0xffffffff;")
PNSIM_UNIT_OP(ClockRegister, Word, "r", 3, 5, 7,
              "{ .reg .u32 t; mov.u32 t, %%clock; xor.b32 %0, %0, t; }")

// Eight additions, each guarded by one bit of the first operand: predicates moved from a register.
PNSIM_UNIT_OP(
    GuardsOfBits, Word, "r", 3, 0x5a, 7,
    "{ .reg .pred p, q, r, s; .reg .u32 t; xor.b32 t, %0, %1;\n"
    "and.b32 %0, t, 1; setp.ne.u32 p, %0, 0; and.b32 %0, t, 2; setp.ne.u32 q, %0, 0;\n"
    "and.b32 %0, t, 4; setp.ne.u32 r, %0, 0; and.b32 %0, t, 8; setp.ne.u32 s, %0, 0;\n"
    "mov.u32 %0, t; @p add.u32 %0, %0, %2; @q add.u32 %0, %0, %1; @r add.u32 %0, %0, %2;\n"
    "@s add.u32 %0, %0, %1; }")

std::vector<MicroSetting> op(const char* name) { return {{"op", name}}; }

template <class Op>
void add_one(Bench& bench, const char* name, bool rate, std::vector<MicroValue>& out) {
  if (rate) {
    add_unit_rate<Op>(bench, "int_unit_rate", op(name), out);
  } else {
    add_unit_latency<Op>(bench, "int_unit_latency", op(name), out);
  }
}

std::vector<MicroValue> run(Bench& bench, bool rate) {
  std::vector<MicroValue> out;
  add_one<Mad>(bench, "mad", rate, out);
  add_one<MadHigh>(bench, "mad_high", rate, out);
  add_one<MulHigh>(bench, "mul_high", rate, out);
  add_one<Add3>(bench, "add3", rate, out);
  add_one<Dp4a>(bench, "dp4a", rate, out);
  add_one<Dp2a>(bench, "dp2a", rate, out);
  add_one<Popc>(bench, "popc", rate, out);
  add_one<Flo>(bench, "flo", rate, out);
  add_one<Brev>(bench, "brev", rate, out);
  add_one<Prmt>(bench, "prmt", rate, out);
  add_one<Funnel>(bench, "shf", rate, out);
  add_one<ShiftRight>(bench, "shr", rate, out);
  add_one<Lea>(bench, "shift_and_add", rate, out);
  add_one<MaxMin>(bench, "max_and_min", rate, out);
  add_one<Logic>(bench, "logic", rate, out);
  add_one<Extract>(bench, "bfe", rate, out);
  add_one<AddLong>(bench, "add_64_and_xor_64", rate, out);
  add_one<MadLong>(bench, "mad_64", rate, out);
  add_one<ShiftLong>(bench, "shr_64", rate, out);
  add_one<Ballot>(bench, "compare_and_ballot", rate, out);
  add_one<Any>(bench, "compare_any_and_select", rate, out);
  add_one<GuardsOfBits>(bench, "guards_of_4_bits", rate, out);
  add_one<ClockRegister>(bench, "clock_and_xor", rate, out);
  if (bench.has_capability(80, "redux.sync and match.sync")) {
    add_one<MatchAny>(bench, "match_any", rate, out);
    add_one<MatchAll>(bench, "match_all", rate, out);
    add_one<Redux>(bench, "redux_add", rate, out);
    add_one<ReduxMax>(bench, "redux_max", rate, out);
  }
  return out;
}

std::vector<MicroValue> run_latency(Bench& bench) { return run(bench, false); }
std::vector<MicroValue> run_rate(Bench& bench) { return run(bench, true); }

const bool kRegistered = register_microbenchmark("int_unit_latency", run_latency) &&
                         register_microbenchmark("int_unit_rate", run_rate);

}  // namespace
}  // namespace pnsim::gpu
