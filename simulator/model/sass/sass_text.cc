#include "simulator/model/sass/sass_text.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "simulator/model/launch/opcodes.h"

namespace pnsim {
namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool has_modifier(std::string_view opcode, std::string_view modifier) {
  const auto at = opcode.find("." + std::string(modifier));
  if (at == std::string_view::npos) return false;
  const auto end = at + 1 + modifier.size();
  return end == opcode.size() || opcode[end] == '.';
}

// The number of 32-bit registers of a value of `opcode`.
int value_width(std::string_view opcode) {
  const std::string_view base = base_of(opcode);
  if (has_modifier(opcode, "128")) return 4;
  if (is_one_of(base, {"HMMA", "IMMA", "QMMA", "LDSM"})) return has_modifier(opcode, "4") ? 4 : 2;
  if (is_one_of(base, {"DADD", "DMUL", "DFMA", "DMMA", "DSETP"})) return 2;
  if (base == "CS2R") return has_modifier(opcode, "32") ? 1 : 2;
  return has_modifier(opcode, "64") || has_modifier(opcode, "WIDE") || has_modifier(opcode, "F64")
             ? 2
             : 1;
}

bool has_no_result(std::string_view base) {
  return is_one_of(
      base,
      {"STG",        "STS",       "STL",     "ST",       "STSM",     "RED",           "REDG",
       "SUST",       "SURED",     "BRA",     "BRX",      "JMP",      "JMX",           "EXIT",
       "BAR",        "BSSY",      "BSYNC",   "BREAK",    "WARPSYNC", "CALL",          "RET",
       "NOP",        "NANOSLEEP", "MEMBAR",  "FENCE",    "CCTL",     "DEPBAR",        "LDGSTS",
       "UBLKCP",     "UTMALDG",   "UTMASTG", "UTMAREDG", "R2P",      "ENDCOLLECTIVE", "STAS",
       "REDAS",      "ERRBAR",    "KILL",    "BPT",      "YIELD",    "CGAERRBAR",     "USETSHMSZ",
       "USETMAXREG", "SETCTAID"});
}

// The number of results of an opcode that writes only predicates; 0 for other opcodes.
int predicate_results(std::string_view base) {
  if (base == "FCHK") return 1;
  return base.ends_with("SETP") || base.ends_with("SETP2") || base.ends_with("PLOP3") ? 2 : 0;
}

// The register in the text at `at`: its number in its file; -1 for none.
struct Found {
  int file_start = -1;
  int number = -1;
  std::size_t end = 0;
};

Found register_at(std::string_view text, std::size_t at) {
  struct File {
    std::string_view prefix;
    int start;
    int count;
  };
  constexpr File kFiles[] = {{"UR", kUniformRegisters, 63},
                             {"UP", kUniformPredicates, 7},
                             {"R", 0, 255},
                             {"P", kPredicates, 7}};
  for (const File& file : kFiles) {
    if (!text.substr(at).starts_with(file.prefix)) continue;
    int number = -1;
    const char* first = text.data() + at + file.prefix.size();
    const auto [end, error] = std::from_chars(first, text.data() + text.size(), number);
    const auto stop = static_cast<std::size_t>(end - text.data());
    if (error != std::errc() || number < 0) return {};
    if (stop < text.size() &&
        (std::isalnum(static_cast<unsigned char>(text[stop])) || text[stop] == '_')) {
      return {};
    }
    return number < file.count ? Found{file.start, number, stop} : Found{-1, -1, stop};
  }
  return {};
}

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// A predicate has width 1 whatever the opcode. No register range crosses into the next file.
void append(std::vector<RegisterIndex>& list, const Found& found, int width) {
  constexpr int kEnds[] = {kUniformRegisters, kPredicates, kUniformPredicates, kRegisterCount};
  const int end = *std::upper_bound(std::begin(kEnds), std::end(kEnds), int{found.file_start});
  if (found.file_start >= kPredicates) width = 1;
  for (int i = 0; i < width && found.file_start + found.number + i < end; ++i) {
    list.push_back(static_cast<RegisterIndex>(found.file_start + found.number + i));
  }
}

// All registers of an operand such as "desc[UR4][R2.64+0x10]". A register with .64 is a pair.
void append_registers(std::vector<RegisterIndex>& list, std::string_view operand, int width) {
  const bool is_in_brackets = operand.find('[') != std::string_view::npos;
  for (std::size_t i = 0; i < operand.size(); ++i) {
    if (i > 0 && is_word_character(operand[i - 1])) continue;
    const Found found = register_at(operand, i);
    if (found.number < 0) continue;
    const bool is_pair = operand.substr(found.end).starts_with(".64");
    const bool is_descriptor = operand.substr(0, i).ends_with("desc[");
    append(list, found, is_pair || is_descriptor ? 2 : is_in_brackets ? 1 : width);
  }
}

bool is_predicate(std::string_view operand) {
  if (operand.starts_with('!')) operand.remove_prefix(1);
  if (operand == "PT" || operand == "UPT") return true;
  return register_at(operand, 0).file_start >= kPredicates;
}

bool is_plain_register(std::string_view operand) {
  if (operand == "RZ" || operand == "URZ") return true;
  const Found found = register_at(operand, 0);
  return found.file_start >= 0 && found.file_start < kPredicates;
}

std::vector<std::string_view> operands_of(std::string_view text) {
  std::vector<std::string_view> operands;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view one = text.substr(0, comma);
    while (one.starts_with(' ')) one.remove_prefix(1);
    while (one.ends_with(' ') || one.ends_with(';')) one.remove_suffix(1);
    if (!one.empty()) operands.push_back(one);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return operands;
}

// The number of leading operands that are results: predicates, one register (two for textures), and
// carries, which are predicates after the register that are not the last operand.
std::size_t result_count(std::string_view base, const std::vector<std::string_view>& operands) {
  if (has_no_result(base)) return 0;
  if (const int n = predicate_results(base)) {
    return std::min<std::size_t>(static_cast<std::size_t>(n), operands.size());
  }
  std::size_t n = 0;
  while (n < operands.size() && is_predicate(operands[n])) ++n;
  if (n == operands.size() || !is_plain_register(operands[n])) return std::min<std::size_t>(n, 1);
  ++n;
  if (base.starts_with("TEX") || base.starts_with("TLD") || base == "TXD") {
    return std::min(n + 1, operands.size());
  }
  if (base.starts_with("VOTE")) return std::min(n + 1, operands.size());
  std::size_t carries = n;
  while (carries < operands.size() && is_predicate(operands[carries])) ++carries;
  const bool are_carries =
      carries > n && carries < operands.size() &&
      is_one_of(base, {"IADD3", "UIADD3", "IMAD", "UIMAD", "LEA", "ULEA", "LOP3", "ULOP3"});
  return are_carries ? carries : n;
}

std::optional<std::uint64_t> target_of(std::string_view base,
                                       const std::vector<std::string_view>& operands) {
  if (!is_one_of(base, {"BRA", "CALL", "JMP"}) || operands.empty()) return std::nullopt;
  // "CALL.REL.NOINC R14, 0x7f00" goes to the sum of both: the function that a pointer names.
  if (base == "CALL" && operands.size() > 1 && is_plain_register(operands.front()))
    return std::nullopt;
  const std::size_t at = operands.back().rfind("0x");
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view digits = operands.back().substr(at + 2);
  std::uint64_t address = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), address, 16);
  if (error != std::errc()) return std::nullopt;
  return address;
}

// Adds the registers that the register file reads for an operand.
void append_operands(SassInstruction& out, std::string_view text, std::size_t place, int width) {
  std::vector<RegisterIndex> registers;
  append_registers(registers, text, width);
  for (const RegisterIndex r : registers) {
    if (r < kUniformRegisters) out.operands.push_back({place, r});
  }
}

// The width of source operand `i` (0 is the first after the results). Stores and 64-bit arithmetic
// have wide values; IMAD.WIDE adds a pair to a product of single registers.
int source_width(std::string_view opcode, std::size_t i) {
  const std::string_view base = base_of(opcode);
  if (has_modifier(opcode, "WIDE")) return i == 2 ? 2 : 1;
  if (base == "F2F" || base == "F2I" || base == "SHF" || base == "I2F" || base == "MUFU") return 1;
  return value_width(opcode);
}

// "R2P PR, R7, 0x1" copies bits of a register to the predicates of the mask; without a mask that is
// an immediate number, to all of them.
void append_unpacked_predicates(std::vector<RegisterIndex>& writes, std::string_view mask) {
  constexpr int kAll = (1 << 7) - 1;
  int bits = kAll;
  if (mask.starts_with("0x")) {
    const auto [end, error] = std::from_chars(mask.data() + 2, mask.data() + mask.size(), bits, 16);
    if (error != std::errc() || end != mask.data() + mask.size()) bits = kAll;
  }
  for (int i = 0; i < 7; ++i) {
    if (bits >> i & 1) writes.push_back(static_cast<RegisterIndex>(kPredicates + i));
  }
}

}  // namespace

SassInstruction parse_sass(const std::string& text) {
  SassInstruction out;
  std::string_view rest = text;
  const auto next_word = [&] {
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    return word;
  };
  std::string_view word = next_word();
  if (word.starts_with('@')) {
    out.guard = word.substr(1);
    append_registers(out.reads, out.guard, 1);
    word = next_word();
  }
  out.opcode = word.substr(0, word.find(';'));
  const auto operands = operands_of(rest);
  const std::string_view base = base_of(out.opcode);
  out.target = target_of(base, operands);
  if (base == "R2P" && !operands.empty()) append_unpacked_predicates(out.writes, operands.back());
  const std::size_t results = result_count(base, operands);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool is_predicate_operand = is_predicate(operands[i]);
    if (i < results) {
      append_registers(out.writes, operands[i], is_predicate_operand ? 1 : value_width(out.opcode));
    } else {
      const int width = is_predicate_operand ? 1 : source_width(out.opcode, i - results);
      append_registers(out.reads, operands[i], width);
      append_operands(out, operands[i], i - results, width);
    }
  }
  return out;
}

}  // namespace pnsim
