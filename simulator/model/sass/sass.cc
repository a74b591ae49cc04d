#include "simulator/model/sass/sass.h"

#include <algorithm>
#include <string_view>

#include "simulator/base/error.h"
#include "simulator/model/sass/called_functions.h"
#include "simulator/model/sass/sass_text.h"

namespace pnsim {
namespace {

// A column of the raw page, and the counts of the source page that add up to it.
struct SumRule {
  const char* raw_column;
  std::int64_t SourceRow::*count;
  std::vector<std::string_view> opcodes = {};  // only of these; of all when empty
  std::string_view without = {};               // and not of this one
};
// The wait for the launch before (griddepcontrol.wait). One of the raw page's two counters of
// predicated-on threads leaves it out: 8 of 21 launches of kernels of XLA differ by exactly its
// threads.
constexpr std::string_view kDependencyWait = "ACQBULK";
const SumRule kSumRules[] = {
    {"smsp__inst_executed.sum", &SourceRow::executed},
    {"smsp__thread_inst_executed.sum", &SourceRow::threads},
    {"thread_inst_executed", &SourceRow::threads},
    {"smsp__thread_inst_executed_pred_on.sum", &SourceRow::threads_on, {}, kDependencyWait},
    {"thread_inst_executed_true", &SourceRow::threads_on},
    {"memory_l1_tag_requests_global", &SourceRow::tags},
    {"memory_l1_wavefronts_shared", &SourceRow::wavefronts},
    {"memory_l2_theoretical_sectors_global", &SourceRow::sectors},
    {"memory_l2_theoretical_sectors_local", &SourceRow::local_sectors},
    {"smsp__inst_executed_op_global_ld.sum", &SourceRow::executed, {"LDG"}},
    {"smsp__inst_executed_op_global_st.sum", &SourceRow::executed, {"STG"}},
    {"smsp__inst_executed_op_global_red.sum", &SourceRow::executed, {"RED", "REDG"}},
    {"smsp__inst_executed_op_local_ld.sum", &SourceRow::executed, {"LDL"}},
    {"smsp__inst_executed_op_local_st.sum", &SourceRow::executed, {"STL"}},
    {"smsp__inst_executed_op_shared_ld.sum", &SourceRow::executed, {"LDS"}},
    {"smsp__inst_executed_op_shared_st.sum", &SourceRow::executed, {"STS"}},
    {"smsp__inst_executed_op_shared_atom.sum", &SourceRow::executed, {"ATOMS"}},
    {"smsp__inst_executed_op_texture.sum",
     &SourceRow::executed,
     {"TEX", "TLD", "TLD4", "TMML", "TXD", "TXQ"}},
};

// An uncounted value adds nothing.
void add_checked(std::int64_t& sum, std::int64_t count, const std::string& where) {
  if (count != kNotCounted && __builtin_add_overflow(sum, count, &sum)) {
    fail_input(where, "the executed instructions add up to over 2^63");
  }
}

void add_executed(const SourceRow& row, const OpcodeClass& cls, const std::string& where,
                  SourceCounts& sum) {
  add_checked(sum.instructions, row.executed, where);
  switch (cls.paper) {
    case InstructionClass::kArithmetic:
      sum.totals.arithmetic += row.executed;
      add_checked(sum.arithmetic_operations, row.threads_on, where);
      break;
    case InstructionClass::kShared:
      sum.totals.shared += row.executed;
      break;
    case InstructionClass::kGlobal:
      sum.totals.global += row.executed;
      if (is_generic_access(cls)) sum.generic += row.executed;
      break;
  }
}

void add_sums(const SourceTable& table, const SourceRow& row, std::string_view opcode,
              const std::string& where, SourceCounts& sum) {
  for (const SumRule& rule : kSumRules) {
    if (!table.has(rule.count)) continue;
    std::int64_t& mine = sum.sums[rule.raw_column];  // 0 where no opcode matches
    const bool is_of_rule =
        rule.opcodes.empty() ||
        std::find(rule.opcodes.begin(), rule.opcodes.end(), opcode) != rule.opcodes.end();
    if (is_of_rule && opcode != rule.without) add_checked(mine, row.*rule.count, where);
  }
}

}  // namespace

InstructionClass class_of_sass(const std::string& instruction) {
  return class_of_opcode(parse_sass(instruction).opcode).paper;
}

SourceCounts counts_of(const SourceTable& table) {
  SourceCounts sum;
  sum.kernel = table.kernel;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const SourceRow& row = table.rows[i];
    const std::string opcode = parse_sass(row.text).opcode;
    add_executed(row, class_of_opcode(opcode_of(row, opcode)), table.where(i), sum);
    add_sums(table, row, base_of(opcode), table.where(i), sum);
  }
  return sum;
}

std::vector<SourceCounts> read_ncu_source(const std::string& csv_text, const std::string& origin) {
  std::vector<SourceCounts> sums;
  for (const SourceTable& table : join_called_functions(read_source_page(csv_text, origin))) {
    sums.push_back(counts_of(table));
  }
  return sums;
}

}  // namespace pnsim
