#include "simulator/model/derive/instruction_waits.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <string>

#include "simulator/model/launch/segment.h"
#include "simulator/model/sass/tensor_product.h"

namespace pnsim {
namespace {

// Copies have no result register: an instruction waits for all of them together.
constexpr std::size_t kCopies = kRegisterCount;
constexpr std::size_t kGroupProducts = kRegisterCount + 1;  // of a warp group, in tensor cores
constexpr int kMaxPasses = 8;  // over the code, until the outstanding results of blocks are stable

// The result that a register waits for.
struct Late {
  LateResult kind = LateResult::kNone;
  std::int32_t line = -1;  // that produces it
  bool is_overtaken =
      false;  // a wait for loads was over before it, and no instruction waits for it

  bool is_same(const Late& other) const {
    return kind == other.kind && line == other.line && is_overtaken == other.is_overtaken;
  }
};

// [register]
using Outstanding = std::array<Late, kRegisterCount + 2>;

// Tests of an mbarrier (SYNCS) do not count: other warps make the copies, several stages ahead.
bool waits_for_copies(const CodeLine& line) { return base_of(line.sass.opcode) == "DEPBAR"; }

// How many groups of copies a DEPBAR.LE SB0, 0x2 leaves in flight.
int groups_in_flight(const CodeLine& line) {
  const std::string& text = line.row.text;
  const auto comma = text.rfind(", 0x");
  int groups = 0;
  if (comma != std::string::npos)
    std::from_chars(text.data() + comma + 4, text.data() + text.size(), groups, 16);
  return groups;
}

// A wait that leaves newer products in flight (0x1) has mostly nothing to wait for.
bool waits_for_products(const CodeLine& line) {
  return line.sass.opcode.starts_with("WARPGROUP.DEPBAR") && line.row.text.ends_with(", 0x0");
}

// Follows the results of a block's instructions.
class WaitWalk {
 public:
  WaitWalk(const Code& code, ScoreboardWaits& waits) : code_(code), waits_(waits) {}

  void pass(std::size_t i, Outstanding& outstanding) {
    wait_for(i, outstanding);
    issue(i, outstanding);
  }

  // What is outstanding behind two ways through the code: of two results the later one, or the one
  // that is produced more often.
  void merge(const Late& from, Late& to) const {
    if (from.kind == LateResult::kNone) return;
    const bool is_first = to.kind == LateResult::kNone;
    const bool is_overtaken = from.is_overtaken && (is_first || to.is_overtaken);
    const bool is_more = from.kind == to.kind && executed(from) > executed(to);
    if (from.kind > to.kind || is_more) to = from;
    to.is_overtaken = is_overtaken;
  }

  // Loads that outlive a wait on one way, and are waited for at once on another, do not.
  void finish() {
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (forbidden_.contains(i)) waits_.outlives[i] = false;
    }
  }

 private:
  // Kinds of results that one instruction waits for: it reads or writes a register with an
  // outstanding result. Afterwards these kinds, and all kinds with a shorter latency, have arrived.
  // Products of warp groups are apart: they arrive where they are waited for, and say nothing of
  // others.
  void wait_for(std::size_t i, Outstanding& outstanding) {
    const CodeLine& line = code_[i];
    LateResult latest = LateResult::kNone;
    std::uint32_t kinds = 0;
    std::set<std::int32_t> needed;  // lines of the loads that are waited for
    const auto need = [&](std::size_t r) {
      const Late& late = outstanding[r];
      if (late.kind == LateResult::kNone || late.is_overtaken) return;
      kinds |= 1u << static_cast<int>(late.kind);
      if (late.kind != LateResult::kTensor) latest = std::max(latest, late.kind);
      if (is_load(late.kind)) needed.insert(late.line);
    };
    for (const RegisterIndex r : line.sass.reads) need(r);
    for (const RegisterIndex r : line.sass.writes) need(r);
    if (waits_for_copies(line)) need(kCopies);
    if (waits_for_products(line)) need(kGroupProducts);
    waits_.kinds[i] = kinds;
    const auto use = [&](RegisterIndex r) {
      Late& late = outstanding[r];
      if (!late.is_overtaken) return;
      if (!is_load(latest)) forbid(late);
      late = {};
    };
    for (const RegisterIndex r : line.sass.reads) use(r);
    for (const RegisterIndex r : line.sass.writes) use(r);
    if (kinds != 0) arrive(kinds, latest, needed, outstanding);
  }

  void arrive(std::uint32_t kinds, LateResult latest, const std::set<std::int32_t>& needed,
              Outstanding& outstanding) {
    for (Late& late : outstanding) {
      const bool is_product = late.kind == LateResult::kTensor;
      if (is_product ? (kinds & 1u << static_cast<int>(late.kind)) == 0 : late.kind > latest)
        continue;
      const bool outlives = is_load(latest) && !needed.contains(late.line) && !late.is_overtaken &&
                            late.line >= 0 && may_outlive(code_[late.line]);
      if (outlives) {
        waits_.outlives[late.line] = late.is_overtaken = true;
      } else {
        if (late.line >= 0 && is_load(late.kind) && !late.is_overtaken) forbid(late);
        late = {};
      }
    }
  }

  static bool may_outlive(const CodeLine& line) {
    const OpcodeClassId id = class_of_opcode(line.sass.opcode).id;
    return id == OpcodeClassId::kGlobalLoad || id == OpcodeClassId::kGenericLoad;
  }

  std::int64_t executed(const Late& late) const { return code_[late.line].row.executed; }
  void forbid(const Late& late) { forbidden_.insert(late.line); }

  void issue(std::size_t i, Outstanding& outstanding) {
    const SassInstruction& sass = code_[i].sass;
    const LateResult result = late_result_of(sass);
    const auto line = static_cast<std::int32_t>(i);
    if (ends_group(code_[i])) outstanding[kGroupProducts] = {LateResult::kTensor, line};
    if (result == LateResult::kAsyncCopy) outstanding[kCopies] = {result, line};
    for (const RegisterIndex r : sass.writes) {
      outstanding[r] = result == LateResult::kNone ? Late{} : Late{result, line};
    }
  }

  const Code& code_;
  ScoreboardWaits& waits_;
  std::set<std::int64_t> forbidden_;  // lines that outlive no wait
};

}  // namespace

LateResult late_result_of(const SassInstruction& sass) {
  return tensor_product_of(sass.opcode) ? LateResult::kNone : class_of_opcode(sass.opcode).result;
}

bool ends_group(const CodeLine& line) {
  return tensor_product_of(line.sass.opcode).of_group && line.row.text.ends_with("gsb0");
}

int copy_stages_of(const Code& code) {
  std::int64_t most = 0;
  int stages = 0;
  for (const CodeLine& line : code) {
    if (!waits_for_copies(line) || line.row.executed <= most) continue;
    most = line.row.executed;
    stages = groups_in_flight(line);
  }
  return std::min(stages, kMostCopyStages);
}

ScoreboardWaits scoreboard_waits(const Code& code, const Flow& flow) {
  ScoreboardWaits waits{std::vector<std::uint32_t>(code.size(), 0),
                        std::vector<bool>(code.size(), false)};
  std::vector<Outstanding> after(flow.blocks.size(), Outstanding{});
  WaitWalk walk(code, waits);
  bool is_changed = true;
  for (int pass = 0; is_changed && pass < kMaxPasses; ++pass) {
    is_changed = false;
    for (const std::size_t b : flow.order) {
      Outstanding outstanding{};
      for (const std::size_t p : flow.blocks[b].previous) {
        for (std::size_t r = 0; r < outstanding.size(); ++r)
          walk.merge(after[p][r], outstanding[r]);
      }
      for (std::size_t i = flow.blocks[b].first; i <= flow.blocks[b].last; ++i)
        walk.pass(i, outstanding);
      is_changed |=
          !std::equal(outstanding.begin(), outstanding.end(), after[b].begin(),
                      [](const Late& one, const Late& other) { return one.is_same(other); });
      after[b] = outstanding;
    }
  }
  walk.finish();
  return waits;
}

}  // namespace pnsim
