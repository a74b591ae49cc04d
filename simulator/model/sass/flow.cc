#include "simulator/model/sass/flow.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "simulator/model/launch/opcodes.h"

namespace pnsim {
namespace {

constexpr std::size_t kNoBlock = static_cast<std::size_t>(-1);

enum class Transfer { kNone, kBranch, kCall, kReturn, kLeave };

Transfer transfer_of(const SassInstruction& sass) {
  const std::string_view base = base_of(sass.opcode);
  if (base == "BRA" || base == "JMP") return Transfer::kBranch;
  if (base == "CALL") return Transfer::kCall;
  if (base == "RET") return Transfer::kReturn;
  if (base == "EXIT" || base == "BRX" || base == "JMX" || base == "BRXU" || base == "JMXU" ||
      base == "KILL") {
    return Transfer::kLeave;
  }
  return Transfer::kNone;
}

// Whether the last instruction of a block branches in some executions, and falls through in some. A
// guard that was false for all threads, or true for all, rules one of them out.
struct Ways {
  bool is_taken = false;
  bool falls_through = true;
};

Ways ways_of(const CodeLine& line) {
  if (transfer_of(line.sass) == Transfer::kNone) return {false, true};
  const bool has_guard = !line.sass.guard.empty();
  const bool has_condition = has_guard || !line.sass.reads.empty();
  if (!has_condition) return {true, false};
  if (!has_guard || line.row.threads <= 0 || line.row.threads_on < 0) {
    return {true, transfer_of(line.sass) != Transfer::kReturn};
  }
  const bool is_plain = line.sass.reads.size() <= 1;  // no second condition: BRA.DIV, BRA P1
  if (line.row.threads_on == 0) return {false, true};
  return {true, !is_plain || line.row.threads_on < line.row.threads};
}

// Blocks begin at targets, after transfers, and where the number of executions changes.
std::vector<bool> find_leaders(const Code& code, const std::map<std::uint64_t, std::size_t>& at) {
  std::vector<bool> is_leader(code.size() + 1, false);
  is_leader[0] = true;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (i > 0 && code[i].row.executed != code[i - 1].row.executed) is_leader[i] = true;
    if (transfer_of(code[i].sass) == Transfer::kNone) continue;
    is_leader[i + 1] = true;
    const auto target = code[i].sass.target ? at.find(*code[i].sass.target) : at.end();
    if (target != at.end()) is_leader[target->second] = true;
  }
  return is_leader;
}

class FlowBuilder {
 public:
  explicit FlowBuilder(const Code& code) : code_(code) {
    for (std::size_t i = 0; i < code.size(); ++i) at_.emplace(code[i].row.address, i);
    make_blocks();
    for (std::size_t b = 0; b < flow_.blocks.size(); ++b) join(b);
    join_calls();
    join_functions_of_pointers();
    reach_all();
    find_dominators();
  }

  Flow take() { return std::move(flow_); }

 private:
  void make_blocks() {
    block_of_.assign(code_.size(), kNoBlock);
    const std::vector<bool> is_leader = find_leaders(code_, at_);
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (code_[i].row.executed == 0) continue;
      if (is_leader[i] || flow_.blocks.empty()) {
        flow_.blocks.push_back({i, i, code_[i].row.executed, {}, {}});
      }
      flow_.blocks.back().last = i;
      block_of_[i] = flow_.blocks.size() - 1;
    }
  }

  // The executed block that begins with instruction i, or none.
  std::size_t block_at(std::size_t i) const { return i < code_.size() ? block_of_[i] : kNoBlock; }

  std::size_t target_block(const CodeLine& line) const {
    const auto it = line.sass.target ? at_.find(*line.sass.target) : at_.end();
    return it == at_.end() ? kNoBlock : block_at(it->second);
  }

  void link(std::size_t from, std::size_t to) {
    if (to == kNoBlock) return;
    auto& next = flow_.blocks[from].next;
    if (std::find(next.begin(), next.end(), to) != next.end()) return;
    next.push_back(to);
    flow_.blocks[to].previous.push_back(from);
  }

  void join(std::size_t b) {
    const std::size_t last = flow_.blocks[b].last;
    const CodeLine& line = code_[last];
    const Ways ways = ways_of(line);
    const Transfer transfer = transfer_of(line.sass);
    if (transfer == Transfer::kCall && ways.is_taken) calls_.push_back(b);
    if (transfer == Transfer::kBranch && ways.is_taken) link(b, target_block(line));
    if (ways.falls_through) link(b, block_at(last + 1));
  }

  // Called code follows the call that is executed most, the first one of these, but no call of its
  // own (recursion). Its other calls are treated as if they called nothing.
  void join_calls() {
    std::stable_sort(calls_.begin(), calls_.end(), [&](std::size_t a, std::size_t b) {
      return flow_.blocks[a].count > flow_.blocks[b].count;
    });
    std::vector<std::pair<std::size_t, std::size_t>> links;
    std::vector<bool> is_called(flow_.blocks.size(), false);
    for (const std::size_t caller : calls_) {
      if (is_by_pointer(caller)) continue;
      const std::size_t called = called_by(caller), behind = behind_call(caller);
      if (called == kNoBlock || is_called[called] || reachable_from(called, kCalled)[caller]) {
        links.emplace_back(caller, behind);
        continue;
      }
      is_called[called] = true;
      links.emplace_back(caller, called);
      for (const std::size_t b : returns_in(reachable_from(called, kBehindCalls)))
        links.emplace_back(b, behind);
    }
    for (const auto& [from, to] : links) link(from, to);
  }

  // A function that no direct call reaches is called by a pointer, as virtual functions are. The
  // page does not say by which call: it follows the one whose number of executions is nearest to
  // its own, in the ratio. A call that is divergent executes several functions, one after the
  // other. Calls that no function was found for, or fewer than there are, lead behind themselves as
  // well.
  void join_functions_of_pointers() {
    std::map<std::size_t, std::int64_t> functions_of;  // [call] how often they are executed
    for (const std::size_t caller : calls_) {
      if (is_by_pointer(caller)) functions_of[caller] = 0;
    }
    for (std::size_t b = 1; b < flow_.blocks.size() && !functions_of.empty(); ++b) {
      if (!begins_function(b)) continue;
      const std::vector<bool> body = reachable_from(b, kBehindCalls);
      std::optional<std::size_t> nearest;
      for (const auto& [caller, executions] : functions_of) {
        if (!body[caller] && (!nearest || distance(caller, b) < distance(*nearest, b)))
          nearest = caller;
      }
      if (!nearest) continue;
      functions_of[*nearest] += flow_.blocks[b].count;
      link(*nearest, b);
      for (const std::size_t r : returns_in(body)) link(r, behind_call(*nearest));
    }
    for (const auto& [caller, executions] : functions_of) {
      if (executions < flow_.blocks[caller].count) link(caller, behind_call(caller));
    }
  }

  bool is_by_pointer(std::size_t caller) const {
    return !code_[flow_.blocks[caller].last].sass.target;
  }

  // Code that nothing leads to, behind code that does not fall through. It returns and does not end
  // the warp, unlike the cases of an indirect branch.
  bool begins_function(std::size_t b) const {
    const CodeLine& before = code_[flow_.blocks[b - 1].last];
    if (!flow_.blocks[b].previous.empty() || transfer_of(before.sass) == Transfer::kNone ||
        ways_of(before).falls_through)
      return false;
    const std::vector<bool> body = reachable_from(b, kBehindCalls);
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (body[i] && transfer_of(code_[flow_.blocks[i].last].sass) == Transfer::kLeave)
        return false;
    }
    return !returns_in(body).empty();
  }

  std::vector<std::size_t> returns_in(const std::vector<bool>& body) const {
    std::vector<std::size_t> out;
    for (std::size_t b = 0; b < body.size(); ++b) {
      if (body[b] && transfer_of(code_[flow_.blocks[b].last].sass) == Transfer::kReturn)
        out.push_back(b);
    }
    return out;
  }

  double distance(std::size_t caller, std::size_t called) const {
    return std::abs(std::log(static_cast<double>(flow_.blocks[caller].count) /
                             static_cast<double>(flow_.blocks[called].count)));
  }

  std::size_t called_by(std::size_t caller) const {
    return target_block(code_[flow_.blocks[caller].last]);
  }
  std::size_t behind_call(std::size_t caller) const {
    return block_at(flow_.blocks[caller].last + 1);
  }

  // Before calls are joined, also: what is behind a call, and what it calls.
  enum Reach { kJoined, kBehindCalls, kCalled };

  std::vector<bool> reachable_from(std::size_t start, Reach reach = kJoined) const {
    std::vector<bool> is_reached(flow_.blocks.size(), false);
    std::vector<std::size_t> open;
    const auto visit = [&](std::size_t b) {
      if (b == kNoBlock || is_reached[b]) return;
      is_reached[b] = true;
      open.push_back(b);
    };
    visit(start);
    while (!open.empty()) {
      const std::size_t b = open.back();
      open.pop_back();
      for (const std::size_t n : flow_.blocks[b].next) visit(n);
      const bool is_call = transfer_of(code_[flow_.blocks[b].last].sass) == Transfer::kCall &&
                           std::find(calls_.begin(), calls_.end(), b) != calls_.end();
      if (is_call && reach != kJoined) visit(behind_call(b));
      if (is_call && reach == kCalled) visit(called_by(b));
    }
    return is_reached;
  }

  // A block that only an indirect jump reaches is assumed to follow the block before it.
  void reach_all() {
    if (flow_.blocks.empty()) return;
    std::vector<bool> is_reached = reachable_from(0);
    for (std::size_t b = 1; b < flow_.blocks.size(); ++b) {
      if (is_reached[b]) continue;
      link(b - 1, b);
      is_reached = reachable_from(0);
    }
  }

  void find_order() {
    for (BasicBlock& block : flow_.blocks) {  // the lower address is listed first: visited last
      std::sort(block.next.begin(), block.next.end(), std::greater<>());
    }
    std::vector<int> state(flow_.blocks.size(), 0);
    std::vector<std::pair<std::size_t, std::size_t>> stack;  // block, next successor
    if (!flow_.blocks.empty()) stack.emplace_back(0, 0);
    while (!stack.empty()) {
      auto& [b, i] = stack.back();
      state[b] = 1;
      if (i == flow_.blocks[b].next.size()) {
        flow_.order.push_back(b);
        stack.pop_back();
        continue;
      }
      const std::size_t n = flow_.blocks[b].next[i++];
      if (state[n] == 0) stack.emplace_back(n, 0);
    }
    std::reverse(flow_.order.begin(), flow_.order.end());
  }

  // Cooper, Harvey, Kennedy: "A simple, fast dominance algorithm".
  void find_dominators() {
    find_order();
    rank_.assign(flow_.blocks.size(), 0);
    for (std::size_t i = 0; i < flow_.order.size(); ++i) rank_[flow_.order[i]] = i;
    flow_.dominator.assign(flow_.blocks.size(), kNoBlock);
    if (flow_.blocks.empty()) return;
    flow_.dominator[0] = 0;
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (const std::size_t b : flow_.order) {
        if (b == 0) continue;
        const std::size_t found = common_dominator(b);
        is_changed |= flow_.dominator[b] != found;
        flow_.dominator[b] = found;
      }
    }
  }

  std::size_t common_dominator(std::size_t b) const {
    std::size_t common = kNoBlock;
    for (const std::size_t p : flow_.blocks[b].previous) {
      if (flow_.dominator[p] == kNoBlock) continue;
      common = common == kNoBlock ? p : common_dominator(common, p);
    }
    return common;
  }

  std::size_t common_dominator(std::size_t a, std::size_t b) const {
    while (a != b) {
      while (rank_[a] > rank_[b]) a = flow_.dominator[a];
      while (rank_[b] > rank_[a]) b = flow_.dominator[b];
    }
    return a;
  }

  const Code& code_;
  std::map<std::uint64_t, std::size_t> at_;
  std::vector<std::size_t> block_of_;
  std::vector<std::size_t> calls_;
  std::vector<std::size_t> rank_;
  Flow flow_;
};

}  // namespace

Code parse_code(const SourceTable& table) {
  Code code;
  code.reserve(table.rows.size());
  for (const SourceRow& row : table.rows) {
    code.push_back({row, parse_sass(row.text)});
    code.back().sass.opcode = opcode_of(row, code.back().sass.opcode);
  }
  return code;
}

std::ptrdiff_t Flow::entries_into(std::size_t block) const {
  const std::vector<std::size_t>& previous = blocks[block].previous;
  return std::count_if(previous.begin(), previous.end(),
                       [&](std::size_t p) { return !dominates(block, p); });
}

bool Flow::dominates(std::size_t a, std::size_t b) const {
  while (b != a && b != 0) b = dominator[b];
  return b == a;
}

Flow find_flow(const Code& code) { return FlowBuilder(code).take(); }

}  // namespace pnsim
