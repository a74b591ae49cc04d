#include "simulator/model/sass.h"

#include "simulator/base/error.h"
#include "simulator/model/sass_text.h"

namespace pnsim {

std::string plain_kernel_name(std::string name) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  for (auto at = name.find(kAnonymous); at != std::string::npos; at = name.find(kAnonymous)) {
    name.erase(at, kAnonymous.size());
  }
  int depth = 0;
  std::string plain;
  for (const char c : name) {
    if (c == '<') ++depth;
    if (c == '(' && depth == 0) break;
    if (depth == 0) plain += c;
    if (c == '>') --depth;
  }
  while (!plain.empty() && plain.back() == ' ') plain.pop_back();
  return plain.substr(plain.rfind(' ') + 1);  // a template's name comes with its return type
}

InstructionClass class_of_sass(const std::string& instruction) {
  return class_of_opcode(parse_sass(instruction).opcode).paper;
}

SourceCounts counts_of(const SourceTable& table) {
  SourceCounts sum{table.kernel, 0, {}};
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const SourceRow& row = table.rows[i];
    if (__builtin_add_overflow(sum.instructions, row.executed, &sum.instructions)) {
      fail_input(table.where(i), "the executed instructions add up to over 2^63");
    }
    switch (class_of_sass(row.text)) {
      case InstructionClass::kArithmetic: sum.totals.arithmetic += row.executed; break;
      case InstructionClass::kShared: sum.totals.shared += row.executed; break;
      case InstructionClass::kGlobal: sum.totals.global += row.executed; break;
    }
  }
  return sum;
}

std::vector<SourceCounts> read_ncu_source(const std::string& csv_text, const std::string& origin) {
  std::vector<SourceCounts> sums;
  for (const SourceTable& table : read_source_page(csv_text, origin)) {
    sums.push_back(counts_of(table));
  }
  return sums;
}

}  // namespace pnsim
