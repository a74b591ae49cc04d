#include "simulator/model/launch/opcodes.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace pnsim {
namespace {

using enum InstructionClass;
using Late = LateResult;

constexpr std::string_view kLateNames[kLateResults] = {"none",   "special",   "constant", "shuffle",
                                                       "shared", "tensor",    "texture",  "local",
                                                       "global", "async_copy"};

// Opcodes by class, from NVIDIA's instruction set reference (CUDA Binary Utilities, tables of
// Volta to Hopper). Which pipe does what is held against the profiler's counters by a test
// (program_pages_test): "int" and "vote" are the ALU pipe, float comparisons and moves included;
// "fp32" and "imad" the FMA pipe; "special" the XU pipe (its results come late).
struct ClassRow {
  OpcodeClass cls;
  std::string_view opcodes;
};

constexpr ClassRow kClassRows[] = {
    {{"fp32", kArithmetic, Late::kNone, false}, "FADD FADD32I FMUL FMUL32I FFMA FFMA32I FSWZADD"},
    {{"fp64", kArithmetic, Late::kNone, false}, "DADD DMUL DFMA DSETP"},
    {{"fp16", kArithmetic, Late::kNone, false},
     "HADD2 HADD2_32I HFMA2 HFMA2_32I HMUL2 HMUL2_32I HMNMX2 HSET2 HSETP2"},
    {{"int", kArithmetic, Late::kNone, false},
     "IADD IADD3 IADD32I ISETP ISET ICMP IMNMX IABS ISCADD ISCADD32I LEA LOP LOP3 LOP32I SHF SHL "
     "SHR SEL MOV MOV32I PRMT SGXT BMSK PLOP3 PSETP P2R R2P VIADDMNMX VIMNMX VIMNMX3 "
     "VHMNMX VABSDIFF VABSDIFF4 FSETP FSET FSEL FMNMX FCMP I2FP F2FP I2IP CSET CSETP CS2R LEPC"},
    {{"imad", kArithmetic, Late::kNone, false}, "IMAD IMUL IMUL32I XMAD IDP IDP4A VIADD"},
    {{"imad_wide", kArithmetic, Late::kNone, false}, ""},  // IMAD with .WIDE or .HI
    {{"special", kArithmetic, Late::kSpecial, false},
     "MUFU I2F F2I F2F I2I FRND FCHK POPC FLO BREV"},
    {{"uniform", kArithmetic, Late::kNone, false},
     "UIADD3 UIMAD UISETP ULEA ULEPC ULOP ULOP3 ULOP32I UMOV UP2UR UPLOP3 UPOPC UPRMT "
     "UPSETP UR2UP USEL USETMAXREG USGXT USHF USHL USHR UVIADD UVIMNMX UBMSK UBREV UFLO UF2FP "
     "UCLEA R2UR VOTEU"},
    {{"uniform_load", kArithmetic, Late::kNone, false}, "ULDC"},
    {{"special_register", kArithmetic, Late::kSpecial, false},
     "S2R S2UR B2R R2B BMOV SETLMEMBASE GETLMEMBASE AL2P PMTRIG"},
    {{"vote", kArithmetic, Late::kNone, false}, "VOTE"},
    {{"shuffle", kArithmetic, Late::kShuffle, false}, "SHFL MATCH REDUX CREDUX"},
    {{"control", kArithmetic, Late::kNone, false},
     "BRA BRX BRXU JMP JMX JMXU EXIT BSSY BSYNC BREAK WARPSYNC CALL RET NOP NANOSLEEP YIELD KILL "
     "BPT RTT RPCMOV ENDCOLLECTIVE ELECT PREEXIT ACQBULK WARPGROUP WARPGROUPSET"},
    {{"barrier", kArithmetic, Late::kNone, false}, "BAR UCGABAR_ARV UCGABAR_WAIT ARRIVES SYNCS"},
    {{"fence", kArithmetic, Late::kNone, false},
     "MEMBAR FENCE ERRBAR CCTL CCTLL CCTLT DEPBAR LDGDEPBAR LDTDEPBAR UTMACMDFLUSH UTMACCTL "
     "UTMAPF UBLKPF"},
    {{"constant_load", kArithmetic, Late::kConstant, false}, "LDC LDCU"},
    {{"tensor", kArithmetic, Late::kTensor, false},
     "HMMA IMMA BMMA DMMA QMMA HGMMA IGMMA BGMMA QGMMA MOVM"},
    {{"shared_load", kShared, Late::kShared, true}, "LDS"},
    {{"shared_store", kShared, Late::kNone, true}, "STS STAS REDAS"},
    {{"shared_atomic", kShared, Late::kShared, true}, "ATOMS"},
    {{"matrix_load", kShared, Late::kShared, true}, "LDSM"},
    {{"matrix_store", kShared, Late::kNone, true}, "STSM"},
    {{"global_load", kGlobal, Late::kGlobal, true}, "LDG"},
    {{"global_store", kGlobal, Late::kNone, true}, "STG"},
    {{"global_atomic", kGlobal, Late::kGlobal, true}, "ATOMG"},
    {{"global_reduction", kGlobal, Late::kNone, true}, "RED REDG"},
    {{"generic_load", kGlobal, Late::kGlobal, true}, "LD QSPC"},
    {{"generic_store", kGlobal, Late::kNone, true}, "ST"},
    {{"generic_atomic", kGlobal, Late::kGlobal, true}, "ATOM"},
    {{"local_load", kGlobal, Late::kLocal, true}, "LDL"},
    {{"local_store", kGlobal, Late::kNone, true}, "STL"},
    {{"texture", kGlobal, Late::kTexture, true}, "TEX TLD TLD4 TMML TXD TXQ"},
    {{"surface_load", kGlobal, Late::kTexture, true}, "SULD SUATOM SUQUERY"},
    {{"surface_store", kGlobal, Late::kNone, true}, "SUST SURED"},
    {{"async_copy", kGlobal, Late::kAsyncCopy, true}, "LDGSTS"},
    {{"bulk_copy", kGlobal, Late::kAsyncCopy, true}, "UBLKCP UBLKRED UTMALDG UTMASTG UTMAREDG"},
    {{"predicated_off", kArithmetic, Late::kNone, false}, ""},
    {{"other", kArithmetic, Late::kNone, false}, ""},
};

std::vector<OpcodeClass> all_classes() {
  std::vector<OpcodeClass> classes;
  for (const ClassRow& row : kClassRows) classes.push_back(row.cls);
  return classes;
}

const std::vector<OpcodeClass>& class_list() {
  static const std::vector<OpcodeClass> kClasses = all_classes();
  return kClasses;
}

std::map<std::string, std::size_t, std::less<>> opcode_index() {
  std::map<std::string, std::size_t, std::less<>> index;
  for (std::size_t i = 0; i < std::size(kClassRows); ++i) {
    std::istringstream words{std::string(kClassRows[i].opcodes)};
    for (std::string word; words >> word;) index.emplace(word, i);
  }
  return index;
}

}  // namespace

std::string_view name_of(LateResult result) { return kLateNames[static_cast<int>(result)]; }

LateResult late_result_of(std::string_view name) {
  const auto it = std::find(std::begin(kLateNames), std::end(kLateNames), name);
  return it == std::end(kLateNames) ? LateResult::kNone
                                    : static_cast<LateResult>(it - std::begin(kLateNames));
}

std::span<const OpcodeClass> opcode_classes() { return class_list(); }

const OpcodeClass* find_opcode_class(std::string_view name) {
  for (const OpcodeClass& cls : class_list()) {
    if (cls.name == name) return &cls;
  }
  return nullptr;
}

const OpcodeClass& class_of_opcode(std::string_view opcode) {
  static const auto kIndex = opcode_index();
  static const OpcodeClass& wide = *find_opcode_class("imad_wide");
  if (opcode.starts_with("IMAD.WIDE") || opcode.starts_with("IMAD.HI")) return wide;
  const auto it = kIndex.find(base_of(opcode));
  return it == kIndex.end() ? class_list().back() : class_list()[it->second];
}

const OpcodeClass& predicated_off_class() { return class_list()[class_list().size() - 2]; }

std::string_view base_of(std::string_view opcode) { return opcode.substr(0, opcode.find('.')); }

std::vector<std::string> opcode_class_names() {
  std::vector<std::string> names;
  for (const OpcodeClass& cls : class_list()) names.emplace_back(cls.name);
  return names;
}

}  // namespace pnsim
