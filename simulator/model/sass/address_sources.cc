#include "simulator/model/sass/address_sources.h"

#include <algorithm>
#include <bitset>

#include "simulator/model/launch/opcodes.h"

namespace pnsim {
namespace {

using Registers = std::bitset<kRegisterCount>;

// Those that depend on results of memory, and on which block it is.
struct Sources {
  Registers loaded, of_block;
  bool operator==(const Sources&) const = default;
  void join(const Sources& other) {
    loaded |= other.loaded;
    of_block |= other.of_block;
  }
};

// Constants are the same for all lanes, and shuffles bring what others had.
bool brings_from_memory(const OpcodeClass& cls) {
  return cls.is_access && cls.result != LateResult::kNone && cls.result != LateResult::kConstant;
}

// SR_CTAID; clocks and the like are no place at all, and no other block's either.
bool brings_the_block(const CodeLine& line) {
  const std::size_t at = line.row.text.find("SR_");
  if (at == std::string::npos) return false;
  constexpr std::string_view kOfAllBlocks[] = {"SR_TID", "SR_LANEID", "SR_NTID", "SR_NCTAID"};
  return std::none_of(std::begin(kOfAllBlocks), std::end(kOfAllBlocks), [&](std::string_view name) {
    return line.row.text.compare(at, name.size(), name) == 0;
  });
}

bool reads_any(const SassInstruction& sass, const Registers& registers) {
  const std::size_t guards = sass.guard.empty() || sass.reads.empty() ? 0 : 1;
  return std::any_of(sass.reads.begin() + static_cast<std::ptrdiff_t>(guards), sass.reads.end(),
                     [&](RegisterIndex r) { return registers[r]; });
}

void execute(const CodeLine& line, Sources& sources) {
  const SassInstruction& sass = line.sass;
  const bool is_loaded =
      brings_from_memory(class_of_opcode(sass.opcode)) || reads_any(sass, sources.loaded);
  const bool is_of_block = brings_the_block(line) || reads_any(sass, sources.of_block);
  for (const RegisterIndex r : sass.writes) {
    sources.loaded[r] = is_loaded || (!sass.guard.empty() && sources.loaded[r]);
    sources.of_block[r] = is_of_block || (!sass.guard.empty() && sources.of_block[r]);
  }
}

// The first operand behind the results.
bool is_address_loaded(const SassInstruction& sass, const Registers& loaded) {
  return std::any_of(sass.operands.begin(), sass.operands.end(),
                     [&](const SassInstruction::Operand& operand) {
                       return operand.place == 0 && loaded[operand.reg];
                     });
}

Addresses addresses_of(const SassInstruction& sass, const Sources& sources) {
  const OpcodeClass& cls = class_of_opcode(sass.opcode);
  if (!cls.is_access) return Addresses::kUnknown;
  if (is_address_loaded(sass, sources.loaded)) return Addresses::kLoaded;
  return is_global_load(cls) && !is_global_atomic(cls) && !reads_any(sass, sources.of_block)
             ? Addresses::kCommon
             : Addresses::kComputed;
}

}  // namespace

std::vector<Addresses> address_sources(const Code& code, const Flow& flow) {
  std::vector<Sources> after(flow.blocks.size());
  std::vector<Addresses> out(code.size(), Addresses::kUnknown);
  for (bool is_changed = true; is_changed;) {  // registers are only ever added: it ends
    is_changed = false;
    for (const std::size_t b : flow.order) {
      const BasicBlock& block = flow.blocks[b];
      Sources sources;
      for (const std::size_t p : block.previous) sources.join(after[p]);
      for (std::size_t i = block.first; i <= block.last; ++i) {
        out[i] = addresses_of(code[i].sass, sources);
        execute(code[i], sources);
      }
      is_changed |= sources != after[b];
      after[b] = sources;
    }
  }
  return out;
}

}  // namespace pnsim
