#include "simulator/model/sass/spinning.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>

#include "simulator/model/launch/opcodes.h"

namespace pnsim {
namespace {

constexpr std::size_t kMostLoopLines = 24;  // of a spinning loop

bool has(const std::string& opcode, std::string_view part) {
  return opcode.find(part) != std::string::npos;
}

bool is_test(const std::string& opcode) {
  return base_of(opcode) == "SYNCS" && has(opcode, "TRYWAIT");
}

// A load that other warps' stores must reach, and that would never end a loop if L1 answered it.
bool is_strong_load(const std::string& opcode) {
  const OpcodeClass& cls = class_of_opcode(opcode);
  return cls.is_access && is_global_load(cls) && has(opcode, ".STRONG.");
}

bool is_spinning(const Code& code, std::size_t first, std::size_t last) {
  int waits = 0, others = 0;
  for (std::size_t i = first; i <= last; ++i) {
    const std::string& opcode = code[i].sass.opcode;
    const bool waits_here =
        is_test(opcode) || is_strong_load(opcode) || base_of(opcode) == "NANOSLEEP";
    waits += waits_here ? 1 : 0;
    others += !waits_here && class_of_opcode(opcode).is_access ? 1 : 0;
  }
  return waits > 0 && others == 0;
}

// Whether the branch was taken by some thread.
bool is_taken(const CodeLine& branch) {
  return branch.row.executed > 0 && branch.row.threads_on != 0;
}

// A spinning loop: its first and last line.
struct SpinningLoop {
  std::size_t first = 0, last = 0;
};

std::vector<SpinningLoop> spinning_loops(const Code& code) {
  std::map<std::uint64_t, std::size_t> at;
  for (std::size_t i = 0; i < code.size(); ++i) at.emplace(code[i].row.address, i);
  std::vector<SpinningLoop> out;
  for (std::size_t last = 0; last < code.size(); ++last) {
    const auto target = code[last].sass.target ? at.find(*code[last].sass.target) : at.end();
    if (target == at.end() || target->second > last || last - target->second >= kMostLoopLines) {
      continue;
    }
    const std::size_t first = target->second;
    if (is_taken(code[last]) && is_spinning(code, first, last)) out.push_back({first, last});
  }
  return out;
}

bool tests_mbarrier(const Code& code, std::size_t first, std::size_t last) {
  return std::any_of(code.begin() + static_cast<std::ptrdiff_t>(first),
                     code.begin() + static_cast<std::ptrdiff_t>(last) + 1,
                     [](const CodeLine& line) { return is_test(line.sass.opcode); });
}

// The warps that take the branch back. Without counts of threads: those that do not reach the code
// behind it.
std::int64_t repeats_of(const Code& code, std::size_t last) {
  const SourceRow& branch = code[last].row;
  if (branch.threads <= 0 || branch.threads_on < 0) {
    return branch.executed - (last + 1 < code.size() ? code[last + 1].row.executed : 0);
  }
  const double share = static_cast<double>(branch.threads_on) / static_cast<double>(branch.threads);
  return std::llround(share * static_cast<double>(branch.executed));
}

// Multiplies the executions of a line, and what is counted with them, by `share` (0 ... 1).
void scale_counts(SourceRow& row, std::int64_t& active, double share) {
  for (std::int64_t* count : {&row.executed, &row.threads, &row.threads_on, &row.divergent,
                              &row.sectors, &row.tags, &row.wavefronts, &active}) {
    if (*count > 0) *count = std::llround(share * static_cast<double>(*count));
  }
}

// Nothing but branches leads to the loop: it lies apart from the code that waits.
bool lies_apart(const Code& code, std::size_t first) {
  if (first == 0) return false;
  const SassInstruction& before = code[first - 1].sass;
  const std::string_view base = base_of(before.opcode);
  return before.guard.empty() && before.reads.empty() && (base == "BRA" || base == "EXIT");
}

// Where all exits of the loop lead, if they are branches to one place behind or before it.
std::optional<std::uint64_t> exit_of(const Code& code, std::size_t first, std::size_t last) {
  std::optional<std::uint64_t> out;
  for (std::size_t i = first; i <= last; ++i) {
    const std::optional<std::uint64_t>& target = code[i].sass.target;
    if (!target) continue;
    if (*target >= code[first].row.address && *target <= code[last].row.address) continue;
    if (out && *out != *target) return std::nullopt;
    out = target;
  }
  const SassInstruction& back = code[last].sass;
  return back.guard.empty() && back.reads.empty() ? out : std::nullopt;
}

// Warps that find an mbarrier not yet complete wait in a loop apart and then go on where the others
// do. When that loop is left out, the code has the loops that it was written with.
void leave_out(Code& code, std::size_t first, std::size_t last, std::vector<std::int64_t>& active) {
  const std::optional<std::uint64_t> onward = exit_of(code, first, last);
  if (!onward || !lies_apart(code, first)) return;
  for (CodeLine& line : code) {
    if (line.sass.target == code[first].row.address) line.sass.target = onward;
  }
  for (std::size_t i = first; i <= last; ++i) scale_counts(code[i].row, active[i], 0);
}

}  // namespace

std::int64_t spinning_instructions(const Code& code) {
  std::int64_t sum = 0;
  std::size_t counted = 0;  // lines before this one are counted
  for (const auto& [first, last] : spinning_loops(code)) {
    for (std::size_t i = std::max(first, counted); i <= last; ++i) sum += code[i].row.executed;
    counted = std::max(counted, last + 1);
  }
  return sum;
}

void settle_spinning(Code& code, std::vector<std::int64_t>& active) {
  for (const auto& [first, last] : spinning_loops(code)) {
    if (!tests_mbarrier(code, first, last)) continue;
    const std::int64_t executed = code[first].row.executed;
    if (executed <= 0) continue;
    const std::int64_t entries =
        std::clamp<std::int64_t>(executed - repeats_of(code, last), 1, executed);
    const double kept = static_cast<double>(entries) / static_cast<double>(executed);
    for (std::size_t i = first; i <= last; ++i) scale_counts(code[i].row, active[i], kept);
    code[last].row.threads_on = 0;  // nobody goes back
    leave_out(code, first, last, active);
  }
}

}  // namespace pnsim
