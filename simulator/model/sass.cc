#include "simulator/model/sass.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "simulator/base/csv.h"
#include "simulator/base/error.h"
#include "simulator/model/sass_text.h"

namespace pnsim {
namespace {

bool is_kernel_name_row(const std::vector<std::string>& row) {
  return row.size() >= 2 && row[0] == "Kernel Name";
}

constexpr std::size_t kNoColumn = ~std::size_t{0};
constexpr const char* kExecuted = "Instructions Executed";
constexpr const char* kThreads = "Thread Instructions Executed";
constexpr const char* kThreadsOn = "Predicated-On Thread Instructions Executed";

// A column of the raw page and what of the source page adds up to it.
struct SumRule {
  const char* raw_column;
  const char* column;
  std::vector<std::string_view> opcodes = {};  // of these alone; all when empty
};
const SumRule kSumRules[] = {
    {"smsp__inst_executed.sum", kExecuted},
    {"smsp__thread_inst_executed.sum", kThreads},
    {"thread_inst_executed", kThreads},
    {"smsp__thread_inst_executed_pred_on.sum", kThreadsOn},
    {"thread_inst_executed_true", kThreadsOn},
    {"memory_l1_tag_requests_global", "L1 Tag Requests Global"},
    {"memory_l1_wavefronts_shared", "L1 Wavefronts Shared"},
    {"memory_l2_theoretical_sectors_global", "L2 Theoretical Sectors Global"},
    {"smsp__inst_executed_op_global_ld.sum", kExecuted, {"LDG"}},
    {"smsp__inst_executed_op_global_st.sum", kExecuted, {"STG"}},
    {"smsp__inst_executed_op_global_red.sum", kExecuted, {"RED", "REDG"}},
    {"smsp__inst_executed_op_local_ld.sum", kExecuted, {"LDL"}},
    {"smsp__inst_executed_op_local_st.sum", kExecuted, {"STL"}},
    {"smsp__inst_executed_op_shared_ld.sum", kExecuted, {"LDS"}},
    {"smsp__inst_executed_op_shared_st.sum", kExecuted, {"STS"}},
    {"smsp__inst_executed_op_shared_atom.sum", kExecuted, {"ATOMS"}},
    {"smsp__inst_executed_op_texture.sum", kExecuted, {"TEX", "TLD", "TLD4", "TMML", "TXD", "TXQ"}},
};

std::size_t find_column(const std::vector<std::string>& header, const std::string& name) {
  const auto it = std::find(header.begin(), header.end(), name);
  return it == header.end() ? kNoColumn : static_cast<std::size_t>(it - header.begin());
}

std::size_t column(const std::vector<std::string>& header, const std::string& name,
                   const std::string& where) {
  const std::size_t found = find_column(header, name);
  if (found == kNoColumn) fail_input(where, "the column \"" + name + "\" is missing");
  return found;
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

// Where one kernel's table has what is summed up; tables of one page differ.
class TableColumns {
 public:
  TableColumns(const std::vector<std::string>& header, const std::string& where)
      : source_(column(header, "Source", where)),
        executed_(column(header, kExecuted, where)),
        threads_on_(find_column(header, kThreadsOn)) {
    for (const SumRule& rule : kSumRules) of_rule_.push_back(find_column(header, rule.column));
  }

  void add(const std::vector<std::string>& row, const std::string& where, SourceCounts& sum) const {
    if (row.size() <= std::max(source_, executed_)) {
      fail_input(where, "the row ends before the column \"Instructions Executed\"");
    }
    add_executed(row, where, sum);
    const std::string opcode(base_of(parse_sass(row[source_]).opcode));
    for (std::size_t i = 0; i < of_rule_.size(); ++i) {
      if (of_rule_[i] == kNoColumn) continue;
      const SumRule& rule = kSumRules[i];
      std::int64_t& mine = sum.sums[rule.raw_column];  // 0 also where no opcode is met
      const bool counts =
          rule.opcodes.empty() ||
          std::find(rule.opcodes.begin(), rule.opcodes.end(), opcode) != rule.opcodes.end();
      if (counts) add_checked(mine, count_or_none(row, of_rule_[i], where), where);
    }
  }

 private:
  // A dash, or nothing, where an instruction has no such count.
  static std::int64_t count_or_none(const std::vector<std::string>& row, std::size_t at,
                                    const std::string& where) {
    const bool is_none = row.size() <= at || row[at].empty() || row[at] == "-";
    return is_none ? 0 : parse_count(row[at], where);
  }

  static void add_checked(std::int64_t& sum, std::int64_t count, const std::string& where) {
    if (__builtin_add_overflow(sum, count, &sum)) {
      fail_input(where, "the executed instructions add up to over 2^63");
    }
  }

  void add_executed(const std::vector<std::string>& row, const std::string& where,
                    SourceCounts& sum) const {
    const std::int64_t count = parse_count(row[executed_], where);
    add_checked(sum.instructions, count, where);
    switch (class_of_sass(row[source_])) {
      case InstructionClass::kArithmetic:
        sum.totals.arithmetic += count;
        add_checked(sum.arithmetic_operations, count_or_none(row, threads_on_, where), where);
        break;
      case InstructionClass::kShared: sum.totals.shared += count; break;
      case InstructionClass::kGlobal: sum.totals.global += count; break;
    }
  }

  std::size_t source_, executed_, threads_on_;
  std::vector<std::size_t> of_rule_;
};

}  // namespace

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

std::vector<SourceCounts> read_ncu_source(const std::string& csv_text, const std::string& origin) {
  const auto rows = parse_csv(csv_text, origin);
  std::vector<SourceCounts> tables;
  std::optional<TableColumns> columns;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::string where = origin + ": row " + std::to_string(r + 1);
    if (is_kernel_name_row(rows[r])) {
      if (r + 1 == rows.size()) fail_input(where, "the table of this kernel is missing");
      tables.push_back({plain_kernel_name(rows[r][1]), 0, {}, 0, {}});
      columns.emplace(rows[++r], where);
    } else if (tables.empty()) {
      fail_input(where, "expected the source page of ncu as CSV: a row that begins with "
                        "\"Kernel Name\"");
    } else {
      columns->add(rows[r], where, tables.back());
    }
  }
  return tables;
}

}  // namespace pnsim
