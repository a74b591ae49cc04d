#include "simulator/model/derive/address_sources.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "simulator/model/launch/opcodes.h"

namespace pnsim {
namespace {

constexpr RegisterIndex kNoRegister = kRegisterCount;

// What a value depends on.
struct Dependence {
  bool memory = false;           // a result of memory
  bool block = false;            // the index of the block
  bool thread = false;           // the place of the thread or of its warp in the block
  bool guard_of_thread = false;  // a guard that depends on the thread decides whether it is written
  bool operator==(const Dependence&) const = default;
  Dependence operator|(const Dependence& other) const {
    return {memory || other.memory, block || other.block, thread || other.thread,
            guard_of_thread || other.guard_of_thread};
  }
};

// A predicate and the value for which an instruction is executed: "P0", "!P0".
struct Guard {
  RegisterIndex predicate = kNoRegister;
  bool is_negated = false;
  bool operator==(const Guard&) const = default;
  bool is_opposite_of(const Guard& other) const {
    return predicate == other.predicate && is_negated != other.is_negated;
  }
};

// The dependence of the value of a register where the last guarded write's guard is true, and where
// it is false. Without a guard both are the same.
struct RegisterState {
  std::optional<Guard> guard;
  Dependence if_true, if_false;
  bool operator==(const RegisterState&) const = default;

  Dependence either() const { return if_true | if_false; }

  // As an instruction under `user` reads the register.
  Dependence under(const std::optional<Guard>& user) const {
    if (!guard || !user) return either();
    if (*guard == *user) return if_true;
    return guard->is_opposite_of(*user) ? if_false : either();
  }

  // The predicate of the guard changes: from here on the register may have either value.
  void forget_guard() { *this = {std::nullopt, either(), either()}; }

  void write(const std::optional<Guard>& writer, const Dependence& value) {
    if (!writer) {
      *this = {std::nullopt, value, value};
    } else if (guard && guard->is_opposite_of(*writer)) {
      if_false = value;
    } else {
      const Dependence kept = guard && *guard == *writer ? if_false : either();
      *this = {writer, value, kept};
    }
    if (if_true == if_false) guard.reset();
  }

  // At a join of paths: the value of either path.
  void join(const RegisterState& other) {
    if (!other.guard) {
      if_true = if_true | other.if_true;
      if_false = if_false | other.if_true;
    } else if (!guard || *guard == *other.guard) {
      *this = {other.guard, if_true | other.if_true, if_false | other.if_false};
    } else if (guard->is_opposite_of(*other.guard)) {
      *this = {guard, if_true | other.if_false, if_false | other.if_true};
    } else {
      *this = {std::nullopt, either() | other.either(), either() | other.either()};
    }
    if (if_true == if_false) guard.reset();
  }
};

using Registers = std::array<RegisterState, kRegisterCount>;

// Constants are the same for all lanes. A shuffle passes on what its source depends on.
bool reads_memory(const OpcodeClass& cls) {
  return cls.is_access && cls.result != LateResult::kNone && cls.result != LateResult::kConstant;
}

// What a special register depends on. Clocks and the like differ from block to block and from warp
// to warp.
Dependence special_register(const CodeLine& line) {
  const std::size_t at = line.row.text.find("SR_");
  if (at == std::string::npos) return {};
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
      return line.row.text.compare(at, name.size(), name) == 0;
    });
  };
  Dependence out;
  out.block = !is_one_of({"SR_TID", "SR_LANEID", "SR_NTID", "SR_NCTAID"});
  out.thread = !is_one_of({"SR_CTAID", "SR_NTID", "SR_NCTAID", "SR_CgaCtaId"});
  return out;
}

// Nothing where the guard is always true. "@!PT" is never true: it is treated as a predicate of its
// own, so that its writes keep the old value as a possibility.
std::optional<Guard> guard_of(const SassInstruction& sass) {
  if (sass.guard.empty() || sass.guard == "PT" || sass.guard == "UPT") return std::nullopt;
  const bool is_read = !sass.reads.empty() && sass.reads[0] >= kPredicates;
  return Guard{is_read ? sass.reads[0] : kNoRegister, sass.guard[0] == '!'};
}

// All sources of an instruction, its guard left out.
Dependence sources_of(const SassInstruction& sass, const Registers& registers) {
  const std::optional<Guard> guard = guard_of(sass);
  const std::size_t first = guard && guard->predicate != kNoRegister ? 1 : 0;
  Dependence out;
  for (std::size_t i = first; i < sass.reads.size(); ++i) {
    out = out | registers[sass.reads[i]].under(guard);
  }
  return out;
}

Dependence guard_value(const SassInstruction& sass, const Registers& registers) {
  const std::optional<Guard> guard = guard_of(sass);
  return guard && guard->predicate != kNoRegister ? registers[guard->predicate].either()
                                                  : Dependence{};
}

void execute(const CodeLine& line, Registers& registers) {
  const SassInstruction& sass = line.sass;
  Dependence value = sources_of(sass, registers);
  value.memory |= reads_memory(class_of_opcode(sass.opcode));
  value = value | special_register(line);
  const Dependence chosen_by = guard_value(sass, registers);
  value.guard_of_thread |= chosen_by.thread || chosen_by.guard_of_thread;
  const std::optional<Guard> guard = guard_of(sass);
  for (const RegisterIndex r : sass.writes) registers[r].write(guard, value);
  for (const RegisterIndex r : sass.writes) {
    if (r < kPredicates) continue;
    for (RegisterState& state : registers) {
      if (state.guard && state.guard->predicate == r) state.forget_guard();
    }
  }
}

// The address is the first operand after the results.
bool is_address_loaded(const SassInstruction& sass, const Registers& registers) {
  const std::optional<Guard> guard = guard_of(sass);
  return std::any_of(sass.operands.begin(), sass.operands.end(),
                     [&](const SassInstruction::Operand& operand) {
                       return operand.place == 0 && registers[operand.reg].under(guard).memory;
                     });
}

// True for a branch or an exit whose only condition depends on the number of the block alone.
// Values that differ because threads came along different branches are not recognised.
bool is_branch_of_block(const SassInstruction& sass, const Registers& registers) {
  const std::string_view opcode = base_of(sass.opcode);
  if ((opcode != "BRA" && opcode != "EXIT") || sass.reads.size() != 1) return false;
  const Dependence value = guard_value(sass, registers);
  return value.block && !value.thread && !value.memory && !value.guard_of_thread;
}

AddressSource source_of(const SassInstruction& sass, const Registers& registers) {
  const OpcodeClass& cls = class_of_opcode(sass.opcode);
  AddressSource out;
  out.is_guard_of_block = is_branch_of_block(sass, registers);
  if (!cls.is_access) return out;
  const Dependence sources = sources_of(sass, registers);
  const bool is_load = is_global_load(cls) && !is_global_atomic(cls);
  out.is_alike_in_block = is_load && !sources.thread && !sources.memory;
  out.addresses = is_address_loaded(sass, registers) ? Addresses::kLoaded
                  : is_load && !sources.block        ? Addresses::kCommon
                                                     : Addresses::kComputed;
  return out;
}

void join(Registers& registers, const Registers& other) {
  for (std::size_t r = 0; r < registers.size(); ++r) registers[r].join(other[r]);
}

// A guard may come and go between two passes, so it is not proven that the passes end. From this
// pass on dependences are only added, and without guards, so that they end.
constexpr int kExactPasses = 64;

void add_without_guards(const Registers& known, Registers& registers) {
  for (std::size_t r = 0; r < registers.size(); ++r) {
    registers[r].join(known[r]);
    registers[r].forget_guard();
  }
}

}  // namespace

std::vector<AddressSource> address_sources(const Code& code, const Flow& flow) {
  std::vector<Registers> after(flow.blocks.size());
  std::vector<AddressSource> out(code.size());
  int passes = 0;
  for (bool is_changed = true; is_changed; ++passes) {
    is_changed = false;
    for (const std::size_t b : flow.order) {
      const BasicBlock& block = flow.blocks[b];
      Registers registers{};
      for (const std::size_t p : block.previous) join(registers, after[p]);
      for (std::size_t i = block.first; i <= block.last; ++i) {
        out[i] = source_of(code[i].sass, registers);
        execute(code[i], registers);
      }
      if (passes >= kExactPasses) add_without_guards(after[b], registers);
      is_changed |= registers != after[b];
      after[b] = registers;
    }
  }
  return out;
}

}  // namespace pnsim
