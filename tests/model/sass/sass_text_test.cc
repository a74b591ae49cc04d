#include "simulator/model/sass/sass_text.h"

#include <gtest/gtest.h>

#include "simulator/model/launch/opcodes.h"

namespace pnsim {
namespace {

std::string register_name(RegisterIndex r) {
  if (r >= kUniformPredicates) return "UP" + std::to_string(r - kUniformPredicates);
  if (r >= kPredicates) return "P" + std::to_string(r - kPredicates);
  if (r >= kUniformRegisters) return "UR" + std::to_string(r - kUniformRegisters);
  return "R" + std::to_string(r);
}

// "R2 R3 <- R4 UR6": what is written, and what is read.
std::string data_flow(const std::string& text) {
  const SassInstruction sass = parse_sass(text);
  std::string out;
  for (const RegisterIndex r : sass.writes) out += register_name(r) + " ";
  out += "<-";
  for (const RegisterIndex r : sass.reads) out += " " + register_name(r);
  return out;
}

TEST(SassText, SaysWhatIsWrittenAndRead) {
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"FADD R1, R2, R3", "R1 <- R2 R3"},
      {"@!P0 FADD.FTZ R1, -R2, |R3|.reuse", "R1 <- P0 R2 R3"},
      {"MOV R4, 0x400", "R4 <-"},
      {"IMAD.MOV.U32 R7, RZ, RZ, UR4", "R7 <- UR4"},
      {"IMAD.WIDE.U32 R22, R5, 0x4, R22", "R22 R23 <- R5 R22 R23"},
      {"ISETP.GE.U32.AND P4, PT, R5, R4, P1", "P4 <- R5 R4 P1"},
      {"PLOP3.LUT P0, PT, P3, PT, !P2, 0x8, 0x0", "P0 <- P3 P2"},
      {"LOP3.LUT P1, RZ, R5, 0x1, RZ, 0xc0, !PT", "P1 <- R5"},
      {"IADD3 R1, P0, P1, R2, R3, RZ", "R1 P0 P1 <- R2 R3"},
      {"IADD3.X R1, R2, R3, RZ, P0, !PT", "R1 <- R2 R3 P0"},
      {"SEL R4, R4, RZ, !P0", "R4 <- R4 P0"},
      {"FSETP.GTU.FTZ.AND P0, P2, |R3|, +INF, PT", "P0 P2 <- R3"},
      {"FCHK P0, R3, R4", "P0 <- R3 R4"},
      {"LDG.E R22, desc[UR8][R22.64]", "R22 <- UR8 UR9 R22 R23"},
      {"LDG.E.128.CONSTANT R4, desc[UR8][R2.64+0x10]", "R4 R5 R6 R7 <- UR8 UR9 R2 R3"},
      {"STG.E.64 desc[UR4][R2.64], R6", "<- UR4 UR5 R2 R3 R6 R7"},
      {"LDS.128 R8, [R2+UR4+0x10]", "R8 R9 R10 R11 <- R2 UR4"},
      {"STS [R24], R22", "<- R24 R22"},
      {"LDC.64 R2, c[0x0][R5+0x210]", "R2 R3 <- R5"},
      {"ULDC.64 UR8, c[0x0][0x208]", "UR8 UR9 <-"},
      {"S2R R0, SR_CTAID.X", "R0 <-"},
      {"CS2R R2, SRZ", "R2 R3 <-"},
      {"SHFL.UP P6, R36, R39, R40, R41", "P6 R36 <- R39 R40 R41"},
      {"VOTE.ANY R5, PT, P0", "R5 <- P0"},
      {"VOTEU.ALL UP0, P1", "UP0 <- P1"},
      {"ATOMG.E.ADD.STRONG.GPU PT, R5, desc[UR4][R2.64], R7", "R5 <- UR4 UR5 R2 R3 R7"},
      {"REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R7", "<- UR4 UR5 R2 R3 R7"},
      {"TLD.LZ RZ, R4, R6, UR4, 1D, 0x1", "R4 <- R6 UR4"},
      {"DFMA R2, R4, R6, R8", "R2 R3 <- R4 R5 R6 R7 R8 R9"},
      {"R2P PR, R7, 0x5", "P0 P2 <- R7"},
      {"R2P PR, R7.B1, R8", "P0 P1 P2 P3 P4 P5 P6 <- R7 R8"},
      {"SYNCS.PHASECHK.TRANS64.TRYWAIT P1, [R4+URZ], R5", "P1 <- R4 R5"},
      {"SYNCS.EXCH.64 URZ, [UR4], UR6", "<- UR4 UR6 UR7"},
      {"SYNCS.CCTL.IV [R4]", "<- R4"},
      {"MUFU.RCP R3, R4", "R3 <- R4"},
      {"RET.REL.NODEC R34 0x7f0000000000", "<- R34"},
      {"BAR.SYNC.DEFER_BLOCKING 0x0", "<-"},
      {"EXIT", "<-"},
      {"@P0 EXIT", "<- P0"},
      {"", "<-"},
      {"@P1", "<- P1"},
      {"STRANGE.X R3, R4", "R3 <- R4"},
  };
  for (const auto& [text, flow] : expected) EXPECT_EQ(data_flow(text), flow) << text;
}

TEST(SassText, HasGuardOpcodeAndTarget) {
  const SassInstruction branch = parse_sass("@!UP1   BRA.DIV UR4, 0x7f35137a02f0");
  EXPECT_EQ(branch.guard, "!UP1");
  EXPECT_EQ(branch.opcode, "BRA.DIV");
  EXPECT_EQ(branch.target, 0x7f35137a02f0u);
  EXPECT_EQ(parse_sass("CALL.REL.NOINC 0x40").target, 0x40u);
  EXPECT_FALSE(parse_sass("CALL.REL.NOINC R14, 0x7fb99b7a4400").target) << "a pointer's function";
  EXPECT_FALSE(parse_sass("CALL.ABS.NOINC R2").target);
  EXPECT_FALSE(parse_sass("WARPSYNC.COLLECTIVE R38, 0x7fa2777a6640").target.has_value());
  EXPECT_FALSE(parse_sass("BSSY B0, 0x40").target.has_value());
  EXPECT_FALSE(parse_sass("BRA `(.L_x_1)").target.has_value());
  EXPECT_EQ(parse_sass("NOP;").opcode, "NOP");
}

TEST(Opcodes, HaveTheirClass) {
  const std::vector<std::pair<const char*, const char*>> expected = {
      {"FFMA.FTZ", "fp32"},
      {"DADD", "fp64"},
      {"HFMA2.MMA", "fp16"},
      {"IADD3.X", "int"},
      {"IMAD.WIDE.U32", "imad_wide"},
      {"IMAD.MOV.U32", "imad"},
      {"VIADD", "imad"},
      {"MUFU.RCP", "special"},
      {"UIADD3", "uniform"},
      {"ULDC.64", "uniform_load"},
      {"BRA.DIV", "control"},
      {"BAR.SYNC.DEFER_BLOCKING", "barrier"},
      {"LDC.64", "constant_load"},
      {"LDS.128", "shared_load"},
      {"ATOMS.ADD", "shared_atomic"},
      {"LDG.E", "global_load"},
      {"REDG.E.ADD", "global_reduction"},
      {"LDL", "local_load"},
      {"TLD.LZ", "texture"},
      {"SHFL.UP", "shuffle"},
      {"LDGSTS.E", "async_copy"},
      {"HMMA.16816.F32", "tensor"},
      {"MEMBAR.SC.GPU", "fence"},
      {"LDGDEPBAR", "copy_commit"},
      {"S2R", "special_register"},
      {"FROBNICATE", "other"},
      {"", "other"}};
  for (const auto& [opcode, name] : expected)
    EXPECT_EQ(class_of_opcode(opcode).name, name) << opcode;
}

TEST(Opcodes, HaveNamesThatCanBeLookedUp) {
  for (const OpcodeClass& cls : opcode_classes()) EXPECT_EQ(find_opcode_class(cls.name), &cls);
  EXPECT_EQ(find_opcode_class("globl_load"), nullptr);
  for (int i = 1; i < kLateResults; ++i) {
    const auto result = static_cast<LateResult>(i);
    EXPECT_EQ(late_result_of(name_of(result)), result);
  }
  EXPECT_EQ(late_result_of("nothing"), LateResult::kNone);
}

TEST(Opcodes, ClassesAreInTheOrderOfTheirIds) {
  for (const OpcodeClass& cls : opcode_classes())
    EXPECT_EQ(&opcode_class(cls.id), &cls) << cls.name;
  EXPECT_EQ(opcode_class(OpcodeClassId::kFp32).name, "fp32");
  EXPECT_EQ(opcode_class(OpcodeClassId::kPredicatedOff).name, "predicated_off");
  EXPECT_EQ(opcode_class(OpcodeClassId::kOther).name, "other");
}

TEST(Opcodes, AtomicsAndLocalAccessesAreThoseWithSuchNames) {
  for (const OpcodeClass& cls : opcode_classes()) {
    const bool is_global = cls.paper == InstructionClass::kGlobal;
    EXPECT_EQ(is_global_atomic(cls),
              is_global && (cls.name.ends_with("atomic") || cls.name.ends_with("reduction")))
        << cls.name;
    EXPECT_EQ(is_local_access(cls), cls.name.starts_with("local_")) << cls.name;
  }
}

TEST(SassText, RegistersStayInTheirFile) {
  for (const char* text : {"LDG.E.128 R4+UP6, [R2.64]", "LDG.E.128 R254, [R2.64]",
                           "MOV.64 UR62, UR63", "LDS.128 P6, [R1]"}) {
    const SassInstruction sass = parse_sass(text);
    for (const auto& list : {sass.writes, sass.reads}) {
      for (const RegisterIndex r : list) EXPECT_LT(r, kRegisterCount) << text;
    }
  }
  const auto writes = parse_sass("LDG.E.128 R254, [R2.64]").writes;
  EXPECT_EQ(writes, (std::vector<RegisterIndex>{254, 255})) << "R256 would be UR0";
}

}  // namespace
}  // namespace pnsim
