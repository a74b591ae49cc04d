#include "simulator/model/derive/instruction_waits.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "simulator/model/launch/segment.h"
#include "simulator/model/sass/tensor_product.h"

namespace pnsim {
namespace {

// Copies have no result register: an instruction waits for all of them together.
constexpr std::size_t kCopies = kRegisterCount;
constexpr std::size_t kGroupProducts = kRegisterCount + 1;  // of a warp group, in tensor cores
constexpr int kMaxPasses = 8;  // over the code, until the outstanding results of blocks are stable

// [register] the kind of its outstanding result.
using Outstanding = std::array<LateResult, kRegisterCount + 2>;

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

// Kinds of results that one instruction waits for: it reads or writes a register with an
// outstanding result. Afterwards these kinds, and all kinds with a shorter latency, have arrived.
// Products of warp groups are apart: they arrive where they are waited for, and say nothing of
// others.
std::uint32_t wait_for(Outstanding& outstanding, const CodeLine& line) {
  const SassInstruction& sass = line.sass;
  LateResult latest = LateResult::kNone;
  std::uint32_t kinds = 0;
  const auto need = [&](std::size_t r) {
    if (outstanding[r] == LateResult::kNone) return;
    kinds |= 1u << static_cast<int>(outstanding[r]);
    if (outstanding[r] != LateResult::kTensor) latest = std::max(latest, outstanding[r]);
  };
  for (const RegisterIndex r : sass.reads) need(r);
  for (const RegisterIndex r : sass.writes) need(r);
  if (waits_for_copies(line)) need(kCopies);
  if (waits_for_products(line)) need(kGroupProducts);
  if (kinds == 0) return 0;
  for (LateResult& result : outstanding) {
    const bool is_product = result == LateResult::kTensor;
    if (is_product ? (kinds & 1u << static_cast<int>(result)) != 0 : result <= latest)
      result = LateResult::kNone;
  }
  return kinds;
}

void issue(Outstanding& outstanding, const CodeLine& line) {
  const SassInstruction& sass = line.sass;
  const LateResult result = late_result_of(sass);
  if (ends_group(line)) outstanding[kGroupProducts] = LateResult::kTensor;
  if (result == LateResult::kAsyncCopy) outstanding[kCopies] = result;
  for (const RegisterIndex r : sass.writes) outstanding[r] = result;
}

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

std::vector<std::uint32_t> scoreboard_waits(const Code& code, const Flow& flow) {
  std::vector<std::uint32_t> waits(code.size(), 0);
  std::vector<Outstanding> after(flow.blocks.size(), Outstanding{});
  bool is_changed = true;
  for (int pass = 0; is_changed && pass < kMaxPasses; ++pass) {
    is_changed = false;
    for (const std::size_t b : flow.order) {
      Outstanding outstanding{};
      for (const std::size_t p : flow.blocks[b].previous) {
        for (std::size_t r = 0; r < outstanding.size(); ++r) {
          outstanding[r] = std::max(outstanding[r], after[p][r]);
        }
      }
      for (std::size_t i = flow.blocks[b].first; i <= flow.blocks[b].last; ++i) {
        waits[i] = wait_for(outstanding, code[i]);
        issue(outstanding, code[i]);
      }
      is_changed |= outstanding != after[b];
      after[b] = outstanding;
    }
  }
  return waits;
}

}  // namespace pnsim
