// Opcodes of SASS: the class of each, and whether its result has a variable latency.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pnsim {

// The paper's classes.
enum class InstructionClass : std::uint8_t { kArithmetic, kShared, kGlobal };

// Kinds of results whose latency is not fixed: a scoreboard tracks them, and the code waits where
// it first reads one. They are in order of latency, the shortest first. An instruction that waits
// for one kind also waits for all earlier results of kinds with a shorter latency.
enum class LateResult : std::uint8_t {
  kNone,
  kSpecial,
  kConstant,
  kShuffle,
  kShared,
  kTensor,
  kTexture,
  kLocal,
  kGlobal,
  kAsyncCopy
};
inline constexpr int kLateResults = 10;            // kNone included
std::string_view name_of(LateResult result);       // "global"
LateResult late_result_of(std::string_view name);  // kNone for an unknown name

// Classes of opcodes. Files have their names (OpcodeClass::name).
enum class OpcodeClassId : std::uint8_t {
  kFp32,
  kFp64,
  kFp16,
  kInt,
  kImad,
  kImadWide,
  kSpecial,
  kUniform,
  kUniformLoad,
  kSpecialRegister,
  kVote,
  kShuffle,
  kControl,
  kBarrier,
  kFence,
  kCopyCommit,  // ends a group of asynchronous copies
  kConstantLoad,
  kTensor,
  kSharedLoad,
  kSharedStore,
  kSharedAtomic,
  kMatrixLoad,
  kMatrixStore,
  kGlobalLoad,
  kGlobalStore,
  kGlobalAtomic,
  kGlobalReduction,
  kGenericLoad,
  kGenericStore,
  kGenericAtomic,
  kLocalLoad,
  kLocalStore,
  kTexture,
  kSurfaceLoad,
  kSurfaceStore,
  kAsyncCopy,
  kBulkCopy,
  kBulkStore,
  kPredicatedOff,  // an access all of whose lanes are predicated off: it touches no memory
  kOther           // opcodes that the table does not know
};

struct OpcodeClass {
  OpcodeClassId id;
  std::string_view name;  // "global_load"
  InstructionClass paper;
  LateResult result;
  bool is_access;  // an access to memory: models keep its sectors and wavefronts
};

// Loads have a variable-latency result; stores and reductions have none.
inline bool is_global_load(const OpcodeClass& cls) {
  return cls.paper == InstructionClass::kGlobal && cls.result != LateResult::kNone;
}

// Atomics and reductions on global memory, which L2 executes one after the other.
inline bool is_global_atomic(const OpcodeClass& cls) {
  return cls.id == OpcodeClassId::kGlobalAtomic || cls.id == OpcodeClassId::kGlobalReduction ||
         cls.id == OpcodeClassId::kGenericAtomic;
}

// Accesses whose address may be of global, shared or local memory.
inline bool is_generic_access(const OpcodeClass& cls) {
  return cls.id == OpcodeClassId::kGenericLoad || cls.id == OpcodeClassId::kGenericStore ||
         cls.id == OpcodeClassId::kGenericAtomic;
}

// Accesses to a thread's own memory: spilled registers, arrays with computed indices.
inline bool is_local_access(const OpcodeClass& cls) {
  return cls.id == OpcodeClassId::kLocalLoad || cls.id == OpcodeClassId::kLocalStore;
}

// Short-scoreboard results: units of the SM produce them a fixed time after the request.
inline bool is_quick(LateResult result) {
  return result == LateResult::kSpecial || result == LateResult::kConstant ||
         result == LateResult::kShuffle || result == LateResult::kShared;
}

// Results of loads and copies: kTensor is neither quick nor a load.
inline bool is_load(LateResult result) {
  return result == LateResult::kTexture || result == LateResult::kLocal ||
         result == LateResult::kGlobal || result == LateResult::kAsyncCopy;
}

// All classes in the order of their ids.
std::span<const OpcodeClass> opcode_classes();
const OpcodeClass& opcode_class(OpcodeClassId id);

// By its name in a file; nullptr for an unknown name.
const OpcodeClass* find_opcode_class(std::string_view name);

// The class of an opcode with or without modifiers ("LDG.E.64"); kOther for an unknown opcode.
const OpcodeClass& class_of_opcode(std::string_view opcode);

// The opcode without modifiers: "LDG.E.64" -> "LDG".
std::string_view base_of(std::string_view opcode);

// The names of all classes, for messages.
std::vector<std::string> opcode_class_names();

}  // namespace pnsim
