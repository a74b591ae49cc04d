#include "simulator/model/sass/block_barrier.h"

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "simulator/model/launch/opcodes.h"

namespace pnsim {
namespace {

// The threads of a named barrier: the second operand of BAR.SYNC. None if it is absent, and all
// threads join; 0 if a register holds it.
std::optional<std::int64_t> joining_threads(const std::string& text) {
  const auto comma = text.find(", 0x");
  if (comma == std::string::npos) {
    return text.find(", R") == std::string::npos ? std::nullopt : std::optional<std::int64_t>(0);
  }
  std::int64_t threads = 0;
  std::from_chars(text.data() + comma + 4, text.data() + text.size(), threads, 16);
  return threads;
}

// BAR with any operands, arrivals excepted.
bool is_barrier(const CodeLine& line) {
  const std::string_view opcode = line.sass.opcode;
  return class_of_opcode(opcode).id == OpcodeClassId::kBarrier && base_of(opcode) == "BAR" &&
         opcode.find(".ARV") == std::string_view::npos;
}

}  // namespace

bool joins_block(const CodeLine& line, std::int64_t block_threads) {
  if (base_of(line.sass.opcode) == "UCGABAR_WAIT" || is_passed_by_block(line)) return true;
  return is_barrier(line) && joining_threads(line.row.text) == block_threads;
}

bool is_passed_by_block(const CodeLine& line) {
  return is_barrier(line) && !joining_threads(line.row.text);
}

}  // namespace pnsim
