#include "simulator/model/sass/constant_use.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <string_view>

#include "simulator/model/launch/counters.h"

namespace pnsim {
namespace {

constexpr std::int64_t kOwnBank = 3;
constexpr std::int64_t kLineBytes = 64, kColdLineBytes = 256;
constexpr std::int64_t kBankBytes = 65536;

// "c[0x3][0x4]": the bank and the offset; no offset where a register is added to it.
struct Constant {
  std::int64_t bank = 0;
  std::optional<std::int64_t> offset;
};

std::int64_t number_at(std::string_view text) {
  return std::strtoll(std::string(text.substr(0, 18)).c_str(), nullptr, 16);
}

std::optional<Constant> constant_of(std::string_view text) {
  const std::size_t at = text.find("c[0x");
  if (at == std::string_view::npos) return std::nullopt;
  const std::size_t close = text.find(']', at);
  if (close == std::string_view::npos || text.substr(close, 2) != "][") return std::nullopt;
  Constant out{number_at(text.substr(at + 2)), std::nullopt};
  const std::string_view offset = text.substr(close + 2);
  if (offset.starts_with("0x")) out.offset = number_at(offset);
  if (offset.starts_with("RZ") || offset.starts_with("URZ")) out.offset = 0;
  return out;
}

bool comes_late(const SassInstruction& sass) {
  return class_of_opcode(sass.opcode).result == LateResult::kConstant;
}

// Bytes of one load of the constant.
std::int64_t width_of(const SassInstruction& sass) {
  if (!comes_late(sass)) return 4;
  return 4 * std::max<std::int64_t>(static_cast<std::int64_t>(sass.writes.size()), 1);
}

class CodeWalk {
 public:
  explicit CodeWalk(std::int64_t warps) : warps_(std::max<std::int64_t>(warps, 1)) {}

  void pass(const CodeLine& line) {
    const auto is_late = [&](RegisterIndex r) { return late_.contains(r); };
    if (std::any_of(line.sass.reads.begin(), line.sass.reads.end(), is_late)) wait();
    for (const RegisterIndex r : line.sass.writes) late_.erase(r);
    if (const auto constant = constant_of(line.row.text)) read(line, *constant);
  }

  ConstantUse use() const {
    const std::int64_t indexed = std::min(indexed_bytes_, kBankBytes);
    return {waits_,
            static_cast<std::int64_t>(own_lines_.size()) + (indexed + kLineBytes - 1) / kLineBytes,
            indexed_loads_};
  }

 private:
  void wait() {
    if (!requested_.empty()) ++waits_;
    known_.merge(requested_);
    requested_.clear();
    late_.clear();
  }

  void read(const CodeLine& line, const Constant& constant) {
    if (constant.bank == kOwnBank) {
      read_own(line, constant);
      return;
    }
    const std::pair cold{constant.bank, constant.offset.value_or(0) / kColdLineBytes};
    if (!known_.contains(cold)) requested_.insert(cold);
    if (comes_late(line.sass)) {
      late_.insert(line.sass.writes.begin(), line.sass.writes.end());
    } else if (requested_.contains(cold)) {
      wait();  // the instruction stalls those after it
    }
  }

  void read_own(const CodeLine& line, const Constant& constant) {
    if (!constant.offset) indexed_loads_ += line.row.executed;
    if (constant.offset) {
      own_lines_.insert(*constant.offset / kLineBytes);
    } else if (indexed_bytes_ < kBankBytes) {
      const std::int64_t loads = (line.row.executed - 1) / warps_ + 1;
      indexed_bytes_ += std::min(loads, kBankBytes) * width_of(line.sass);
    }
  }

  std::int64_t warps_;
  std::int64_t waits_ = 0, indexed_bytes_ = 0, indexed_loads_ = 0;
  std::set<std::pair<std::int64_t, std::int64_t>> known_, requested_;  // bank, line of 256 bytes
  std::set<std::int64_t> own_lines_;
  std::set<RegisterIndex> late_;  // registers with an outstanding constant
};

}  // namespace

ConstantUse constant_use(const Code& code, std::int64_t warps) {
  CodeWalk walk(warps);
  for (const CodeLine& line : code) {
    if (line.row.executed > 0) walk.pass(line);
  }
  return walk.use();
}

void set_constant_use(const std::vector<ConstantUse>& uses, std::vector<Launch*> launches) {
  const bool has_own = std::any_of(uses.begin(), uses.end(),
                                   [](const ConstantUse& use) { return use.own_lines > 0; });
  if (!has_own) return;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    launches[i]->counters[kConstantWaits] = std::max<std::int64_t>(uses[i].waits, 1);
    launches[i]->counters[kConstantLines] = uses[i].own_lines;
  }
}

}  // namespace pnsim
