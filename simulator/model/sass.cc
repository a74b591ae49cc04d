#include "simulator/model/sass.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "simulator/base/csv.h"
#include "simulator/base/error.h"

namespace pnsim {
namespace {

// Opcodes by the name before the first '.', from NVIDIA's instruction set reference (CUDA Binary
// Utilities, sections Turing to Hopper).
constexpr std::string_view kGlobal[] = {
    "LDG",  "STG",  "LD",    "ST",   "LDL",    "STL",     "ATOM",  "ATOMG",  "RED",    "REDG",
    "TEX",  "TLD",  "TLD4",  "TMML", "TXD",    "TXQ",     "SULD",  "SUST",   "SUATOM", "SURED",
    "LDGSTS", "UBLKCP", "UBLKRED", "UTMALDG", "UTMASTG", "UTMAREDG"};
constexpr std::string_view kShared[] = {"LDS", "STS", "LDSM", "STSM", "ATOMS"};

// "@!P0 LDG.E R2" -> "LDG".
std::string opcode_of(const std::string& instruction) {
  std::size_t start = instruction.find_first_not_of(' ');
  if (start != std::string::npos && instruction[start] == '@') {
    start = instruction.find_first_not_of(' ', instruction.find(' ', start));
  }
  if (start == std::string::npos) return "";
  return instruction.substr(start, instruction.find_first_of(" .;", start) - start);
}

bool is_kernel_name_row(const std::vector<std::string>& row) {
  return row.size() >= 2 && row[0] == "Kernel Name";
}

std::size_t column(const std::vector<std::string>& header, const std::string& name,
                   const std::string& where) {
  const auto it = std::find(header.begin(), header.end(), name);
  if (it == header.end()) fail_input(where, "the column \"" + name + "\" is missing");
  return static_cast<std::size_t>(it - header.begin());
}

std::int64_t parse_count(std::string text, const std::string& where) {
  std::erase(text, ',');
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0 ||
      value > (std::int64_t{1} << 50)) {
    fail_input(where, "found \"" + text + "\", expected a count of executed instructions");
  }
  return value;
}

void add(SourceCounts& sum, const std::string& instruction, std::int64_t count,
         const std::string& where) {
  if (__builtin_add_overflow(sum.instructions, count, &sum.instructions)) {
    fail_input(where, "the executed instructions add up to over 2^63");
  }
  switch (class_of_sass(instruction)) {
    case InstructionClass::kArithmetic: sum.totals.arithmetic += count; break;
    case InstructionClass::kShared: sum.totals.shared += count; break;
    case InstructionClass::kGlobal: sum.totals.global += count; break;
  }
}

}  // namespace

InstructionClass class_of_sass(const std::string& instruction) {
  const std::string opcode = opcode_of(instruction);
  const auto is_in = [&](const auto& list) {
    return std::find(std::begin(list), std::end(list), opcode) != std::end(list);
  };
  if (is_in(kGlobal)) return InstructionClass::kGlobal;
  return is_in(kShared) ? InstructionClass::kShared : InstructionClass::kArithmetic;
}

std::vector<SourceCounts> read_ncu_source(const std::string& csv_text, const std::string& origin) {
  const auto rows = parse_csv(csv_text, origin);
  std::vector<SourceCounts> tables;
  std::size_t source = 0, executed = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::string where = origin + ": row " + std::to_string(r + 1);
    if (is_kernel_name_row(rows[r])) {
      if (r + 1 == rows.size()) fail_input(where, "the table of this kernel is missing");
      tables.push_back({plain_kernel_name(rows[r][1]), 0, {}});
      source = column(rows[r + 1], "Source", where);
      executed = column(rows[r + 1], "Instructions Executed", where);
      ++r;
    } else if (tables.empty()) {
      fail_input(where, "expected the source page of ncu as CSV: a row that begins with "
                        "\"Kernel Name\"");
    } else if (rows[r].size() <= std::max(source, executed)) {
      fail_input(where, "the row ends before the column \"Instructions Executed\"");
    } else {
      add(tables.back(), rows[r][source], parse_count(rows[r][executed], where), where);
    }
  }
  return tables;
}

}  // namespace pnsim
