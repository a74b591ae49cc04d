#include "simulator/model/sass/called_functions.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <set>

#include "simulator/model/launch/opcodes.h"
#include "simulator/model/sass/sass_text.h"

namespace pnsim {
namespace {

bool has_opcode(const SourceTable& table, std::string_view base) {
  return std::any_of(table.rows.begin(), table.rows.end(), [&](const SourceRow& row) {
    return row.text.find(base) != std::string::npos && base_of(parse_sass(row.text).opcode) == base;
  });
}

bool is_function(const SourceTable& table) {
  return !table.rows.empty() && has_opcode(table, "RET") && !has_opcode(table, "EXIT");
}

// What identifies the function of a displaced target: some versions of the profiler print the bytes
// of an absolute target displaced, so that bits 4 to 30 of the address are bits 12 to 38 of the
// target.
constexpr std::uint64_t kKept = 0x7ffffff0;
constexpr unsigned kDisplaced = 8;

std::string with_target(const std::string& text, std::uint64_t address) {
  char digits[2 + 16 + 1];
  std::snprintf(digits, sizeof digits, "0x%llx", static_cast<unsigned long long>(address));
  return text.substr(0, text.rfind("0x")) + digits;
}

void append(SourceTable function, SourceTable& kernel) {
  kernel.functions.push_back({kernel.rows.size(), function.row});
  std::move(function.rows.begin(), function.rows.end(), std::back_inserter(kernel.rows));
  if (kernel.fault.empty()) kernel.fault = function.fault;
}

// Gives the calls of the table the addresses of the functions that they lead to. A page without
// addresses has 0 for all.
void resolve_calls(SourceTable& table) {
  std::set<std::uint64_t> exact;
  std::map<std::uint64_t, std::uint64_t> displaced;  // [kept bits] the address of a function
  for (const SourceTable::Function& function : table.functions) {
    const std::uint64_t address = table.rows[function.line].address;
    if (address == 0) continue;
    exact.insert(address);
    displaced.emplace(address & kKept, address);
  }
  const auto function_at = [&](std::uint64_t target) -> std::uint64_t {
    if (exact.contains(target)) return target;
    const auto found = displaced.find((target >> kDisplaced) & kKept);
    return found == displaced.end() ? 0 : found->second;
  };
  for (SourceRow& row : table.rows) {
    if (row.text.find("CALL") == std::string::npos) continue;
    const SassInstruction sass = parse_sass(row.text);
    if (base_of(sass.opcode) != "CALL" || !sass.target) continue;
    const std::uint64_t address = function_at(*sass.target);
    if (address != 0) row.text = with_target(row.text, address);
  }
}

}  // namespace

std::vector<SourceTable> join_called_functions(std::vector<SourceTable> tables) {
  std::vector<SourceTable> out;
  const auto finish = [&] {
    if (out.empty() || out.back().functions.empty()) return;
    resolve_calls(out.back());
    if (out.size() < 2 || !out.back().same_rows(out[out.size() - 2])) return;
    out[out.size() - 2].copies += out.back().copies;
    out.pop_back();
  };
  for (SourceTable& table : tables) {
    if (!out.empty() && is_function(table) && has_opcode(out.back(), "CALL")) {
      append(std::move(table), out.back());
      continue;
    }
    finish();
    out.push_back(std::move(table));
  }
  finish();
  return out;
}

}  // namespace pnsim
