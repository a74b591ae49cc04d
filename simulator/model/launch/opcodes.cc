#include "simulator/model/launch/opcodes.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <unordered_map>

namespace pnsim {
namespace {

using enum InstructionClass;
using Id = OpcodeClassId;
using Late = LateResult;

constexpr std::string_view kLateNames[kLateResults] = {"none",   "special",   "constant", "shuffle",
                                                       "shared", "tensor",    "texture",  "local",
                                                       "global", "async_copy"};

// Opcodes by class, from NVIDIA's instruction set reference (CUDA Binary Utilities, tables of
// Volta to Hopper). A test (program_pages_test) compares the classes with the profiler's counters
// of pipes: "int" and "vote" are the ALU pipe, including float comparisons and moves; "fp32" and
// "imad" are the FMA pipe; "special" is the XU pipe, whose results have a variable latency.
struct ClassRow {
  OpcodeClass cls;
  std::string_view opcodes;
};

constexpr ClassRow kClassRows[] = {
    {{Id::kFp32, "fp32", kArithmetic, Late::kNone, false},
     "FADD FADD32I FMUL FMUL32I FFMA FFMA32I FSWZADD"},
    {{Id::kFp64, "fp64", kArithmetic, Late::kNone, false}, "DADD DMUL DFMA DSETP"},
    {{Id::kFp16, "fp16", kArithmetic, Late::kNone, false},
     "HADD2 HADD2_32I HFMA2 HFMA2_32I HMUL2 HMUL2_32I HMNMX2 HSET2 HSETP2"},
    {{Id::kInt, "int", kArithmetic, Late::kNone, false},
     "IADD IADD3 IADD32I ISETP ISET ICMP IMNMX IABS ISCADD ISCADD32I LEA LOP LOP3 LOP32I SHF SHL "
     "SHR SEL MOV MOV32I PRMT SGXT BMSK PLOP3 PSETP P2R R2P VIADDMNMX VIMNMX VIMNMX3 "
     "VHMNMX VABSDIFF VABSDIFF4 FSETP FSET FSEL FMNMX FCMP I2FP F2FP I2IP CSET CSETP CS2R LEPC"},
    {{Id::kImad, "imad", kArithmetic, Late::kNone, false},
     "IMAD IMUL IMUL32I XMAD IDP IDP4A VIADD"},
    {{Id::kImadWide, "imad_wide", kArithmetic, Late::kNone, false}, ""},  // IMAD with .WIDE or .HI
    {{Id::kSpecial, "special", kArithmetic, Late::kSpecial, false},
     "MUFU I2F F2I F2F I2I FRND FCHK POPC FLO BREV"},
    {{Id::kUniform, "uniform", kArithmetic, Late::kNone, false},
     "UIADD3 UIMAD UISETP ULEA ULEPC ULOP ULOP3 ULOP32I UMOV UP2UR UPLOP3 UPOPC UPRMT "
     "UPSETP UR2UP USEL USETMAXREG USETSHMSZ USGXT USHF USHL USHR UVIADD UVIMNMX UBMSK UBREV UFLO "
     "UF2FP "
     "UCLEA R2UR VOTEU"},
    {{Id::kUniformLoad, "uniform_load", kArithmetic, Late::kNone, false}, "ULDC"},
    {{Id::kSpecialRegister, "special_register", kArithmetic, Late::kSpecial, false},
     "S2R S2UR B2R R2B BMOV SETLMEMBASE GETLMEMBASE AL2P PMTRIG"},
    {{Id::kVote, "vote", kArithmetic, Late::kNone, false}, "VOTE"},
    {{Id::kShuffle, "shuffle", kArithmetic, Late::kShuffle, false}, "SHFL MATCH REDUX CREDUX"},
    {{Id::kControl, "control", kArithmetic, Late::kNone, false},
     "BRA BRX BRXU JMP JMX JMXU EXIT BSSY BSYNC BREAK WARPSYNC CALL RET NOP NANOSLEEP YIELD KILL "
     "BPT RTT RPCMOV ENDCOLLECTIVE ELECT PREEXIT ACQBULK WARPGROUP WARPGROUPSET SETCTAID"},
    {{Id::kBarrier, "barrier", kArithmetic, Late::kNone, false},
     "BAR UCGABAR_ARV UCGABAR_GET UCGABAR_SET UCGABAR_WAIT ARRIVES SYNCS"},
    {{Id::kFence, "fence", kArithmetic, Late::kNone, false},
     "MEMBAR FENCE ERRBAR CGAERRBAR CCTL CCTLL CCTLT DEPBAR LDTDEPBAR UTMACMDFLUSH "
     "UTMACCTL "
     "UTMAPF UBLKPF"},
    {{Id::kCopyCommit, "copy_commit", kArithmetic, Late::kNone, false}, "LDGDEPBAR"},
    {{Id::kConstantLoad, "constant_load", kArithmetic, Late::kConstant, false}, "LDC LDCU"},
    {{Id::kTensor, "tensor", kArithmetic, Late::kTensor, false},
     "HMMA IMMA BMMA DMMA QMMA HGMMA IGMMA BGMMA QGMMA MOVM"},
    {{Id::kSharedLoad, "shared_load", kShared, Late::kShared, true}, "LDS"},
    {{Id::kSharedStore, "shared_store", kShared, Late::kNone, true}, "STS STAS REDAS"},
    {{Id::kSharedAtomic, "shared_atomic", kShared, Late::kShared, true}, "ATOMS"},
    {{Id::kMatrixLoad, "matrix_load", kShared, Late::kShared, true}, "LDSM"},
    {{Id::kMatrixStore, "matrix_store", kShared, Late::kNone, true}, "STSM"},
    {{Id::kGlobalLoad, "global_load", kGlobal, Late::kGlobal, true}, "LDG LDGMC"},
    {{Id::kGlobalStore, "global_store", kGlobal, Late::kNone, true}, "STG"},
    {{Id::kGlobalAtomic, "global_atomic", kGlobal, Late::kGlobal, true}, "ATOMG"},
    {{Id::kGlobalReduction, "global_reduction", kGlobal, Late::kNone, true}, "RED REDG"},
    {{Id::kGenericLoad, "generic_load", kGlobal, Late::kGlobal, true}, "LD QSPC"},
    {{Id::kGenericStore, "generic_store", kGlobal, Late::kNone, true}, "ST"},
    {{Id::kGenericAtomic, "generic_atomic", kGlobal, Late::kGlobal, true}, "ATOM"},
    {{Id::kLocalLoad, "local_load", kGlobal, Late::kLocal, true}, "LDL"},
    {{Id::kLocalStore, "local_store", kGlobal, Late::kNone, true}, "STL"},
    {{Id::kTexture, "texture", kGlobal, Late::kTexture, true}, "TEX TLD TLD4 TMML TXD TXQ"},
    {{Id::kSurfaceLoad, "surface_load", kGlobal, Late::kTexture, true}, "SULD SUATOM SUQUERY"},
    {{Id::kSurfaceStore, "surface_store", kGlobal, Late::kNone, true}, "SUST SURED"},
    {{Id::kAsyncCopy, "async_copy", kGlobal, Late::kAsyncCopy, true}, "LDGSTS"},
    {{Id::kBulkCopy, "bulk_copy", kGlobal, Late::kAsyncCopy, true}, "UBLKCP UTMALDG"},
    {{Id::kBulkStore, "bulk_store", kGlobal, Late::kNone, true}, "UBLKRED UTMASTG UTMAREDG"},
    {{Id::kPredicatedOff, "predicated_off", kArithmetic, Late::kNone, false}, ""},
    {{Id::kOther, "other", kArithmetic, Late::kNone, false}, ""},
};

static_assert(std::size(kClassRows) == static_cast<std::size_t>(Id::kOther) + 1);

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

const OpcodeClass& opcode_class(OpcodeClassId id) {
  return class_list()[static_cast<std::size_t>(id)];
}

const OpcodeClass* find_opcode_class(std::string_view name) {
  static const auto kByName = [] {
    std::unordered_map<std::string_view, const OpcodeClass*> by_name;
    for (const OpcodeClass& cls : class_list()) by_name.emplace(cls.name, &cls);
    return by_name;
  }();
  const auto it = kByName.find(name);
  return it == kByName.end() ? nullptr : it->second;
}

const OpcodeClass& class_of_opcode(std::string_view opcode) {
  static const auto kIndex = opcode_index();
  if (opcode.starts_with("IMAD.WIDE") || opcode.starts_with("IMAD.HI")) {
    return opcode_class(OpcodeClassId::kImadWide);
  }
  if (opcode.starts_with("UBLKCP.G.S")) return opcode_class(OpcodeClassId::kBulkStore);
  const auto it = kIndex.find(base_of(opcode));
  return it == kIndex.end() ? opcode_class(OpcodeClassId::kOther) : class_list()[it->second];
}

std::string_view base_of(std::string_view opcode) { return opcode.substr(0, opcode.find('.')); }

std::vector<std::string> opcode_class_names() {
  std::vector<std::string> names;
  for (const OpcodeClass& cls : class_list()) names.emplace_back(cls.name);
  return names;
}

}  // namespace pnsim
