#include "simulator/model/loaded_addresses.h"

#include <algorithm>
#include <bitset>

#include "simulator/model/opcodes.h"

namespace pnsim {
namespace {

using Registers = std::bitset<kRegisterCount>;  // that depend on results of memory

// Constants are the same for all lanes, and shuffles bring what others had.
bool brings_from_memory(const OpcodeClass& cls) {
  return cls.is_access && cls.result != LateResult::kNone && cls.result != LateResult::kConstant;
}

bool reads_any(const SassInstruction& sass, const Registers& loaded) {
  const std::size_t guards = sass.guard.empty() || sass.reads.empty() ? 0 : 1;
  return std::any_of(sass.reads.begin() + static_cast<std::ptrdiff_t>(guards), sass.reads.end(),
                     [&](RegisterIndex r) { return loaded[r]; });
}

void execute(const SassInstruction& sass, Registers& loaded) {
  const bool is_loaded = brings_from_memory(class_of_opcode(sass.opcode)) || reads_any(sass, loaded);
  for (const RegisterIndex r : sass.writes) loaded[r] = is_loaded || (!sass.guard.empty() && loaded[r]);
}

// The first operand behind the results.
bool is_address_loaded(const SassInstruction& sass, const Registers& loaded) {
  return std::any_of(sass.operands.begin(), sass.operands.end(),
                     [&](const SassInstruction::Operand& operand) { return operand.place == 0 && loaded[operand.reg]; });
}

}  // namespace

std::vector<bool> has_loaded_address(const Code& code, const Flow& flow) {
  std::vector<Registers> after(flow.blocks.size());
  std::vector<bool> out(code.size());
  for (bool is_changed = true; is_changed;) {  // registers are only ever added: it ends
    is_changed = false;
    for (const std::size_t b : flow.order) {
      const BasicBlock& block = flow.blocks[b];
      Registers loaded;
      for (const std::size_t p : block.previous) loaded |= after[p];
      for (std::size_t i = block.first; i <= block.last; ++i) {
        const SassInstruction& sass = code[i].sass;
        out[i] = class_of_opcode(sass.opcode).is_access && is_address_loaded(sass, loaded);
        execute(sass, loaded);
      }
      is_changed |= loaded != after[b];
      after[b] = loaded;
    }
  }
  return out;
}

}  // namespace pnsim
