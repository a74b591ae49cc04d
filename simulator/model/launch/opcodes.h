// What each opcode of SASS is: a class of instructions, and whether its result comes late.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pnsim {

// The paper's classes.
enum class InstructionClass : std::uint8_t { kArithmetic, kShared, kGlobal };

// Results whose latency is not fixed: the code waits for them where they are first read. In order
// of latency, the quickest first: who waits for one has all quicker ones of before as well.
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

struct OpcodeClass {
  std::string_view name;  // "global_load"
  InstructionClass paper;
  LateResult result;
  bool is_access;  // memory: its sectors and wavefronts are kept
};

// Of a load, whose result comes late: else a store or a reduction.
inline bool is_global_load(const OpcodeClass& cls) {
  return cls.paper == InstructionClass::kGlobal && cls.result != LateResult::kNone;
}

// Works on memory in L2, one operation after the other.
inline bool is_global_atomic(const OpcodeClass& cls) {
  return cls.paper == InstructionClass::kGlobal &&
         (cls.name.ends_with("atomic") || cls.name.ends_with("reduction"));
}

// Of a thread's own memory: spilled registers, arrays with computed indices.
inline bool is_local_access(const OpcodeClass& cls) { return cls.name.starts_with("local_"); }

// Results that come a fixed time after they are asked for, from units of the SM.
inline bool is_quick(LateResult result) {
  return result == LateResult::kSpecial || result == LateResult::kConstant ||
         result == LateResult::kShuffle || result == LateResult::kShared;
}

// All classes, in the order in which they are listed; "other" is the last.
std::span<const OpcodeClass> opcode_classes();
const OpcodeClass* find_opcode_class(std::string_view name);

// Of an opcode with or without modifiers ("LDG.E.64"). One that is not in the table is "other".
const OpcodeClass& class_of_opcode(std::string_view opcode);

// An access all of whose lanes are predicated off takes an issue slot and touches no memory.
const OpcodeClass& predicated_off_class();

// The opcode without modifiers: "LDG.E.64" -> "LDG".
std::string_view base_of(std::string_view opcode);

// Names of all classes, for messages.
std::vector<std::string> opcode_class_names();

}  // namespace pnsim
