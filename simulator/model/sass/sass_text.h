// One line of a SASS listing: guard, opcode, the registers it writes and reads, branch target.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pnsim {

// A register of one of the four files. The constants RZ, URZ, PT and UPT have no index.
using RegisterIndex = std::uint16_t;
inline constexpr RegisterIndex kUniformRegisters = 256;   // R0 is 0, UR0 is 256
inline constexpr RegisterIndex kPredicates = 320;         // P0
inline constexpr RegisterIndex kUniformPredicates = 328;  // UP0
inline constexpr RegisterIndex kRegisterCount = 336;

struct SassInstruction {
  std::string guard;                  // "P0", "!UP1"; empty when there is none
  std::string opcode;                 // with modifiers: "LDG.E.64"
  std::vector<RegisterIndex> writes;  // pairs and quads one by one
  std::vector<RegisterIndex> reads;   // the guard included
  // Source operands in registers R0 ... R254, which the register file reads, with their places in
  // the instruction.
  struct Operand {
    std::size_t place = 0;
    RegisterIndex reg = 0;
  };
  std::vector<Operand> operands;
  std::optional<std::uint64_t> target;  // of a branch or call: an address
};

// Parses "@!P0 LDG.E.64 R2, desc[UR4][R2.64]". Text that is not understood is skipped and is never
// an error. An unknown opcode still has its registers; the first one is written.
SassInstruction parse_sass(const std::string& text);

}  // namespace pnsim
