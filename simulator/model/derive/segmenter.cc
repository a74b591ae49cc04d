#include "simulator/model/derive/segmenter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "simulator/model/derive/address_sources.h"
#include "simulator/model/derive/requested_sectors.h"
#include "simulator/model/sass/block_barrier.h"
#include "simulator/model/sass/line_access.h"
#include "simulator/model/sass/tensor_product.h"

namespace pnsim {
namespace {

// The pipe that makes an instruction's result; kNone without a result of fixed latency.
enum class Pipe { kNone, kInteger, kMultiplyAdd, kDouble };

Pipe pipe_of(const OpcodeClass& cls) {
  switch (cls.id) {
    case OpcodeClassId::kInt:
    case OpcodeClassId::kVote:
      return Pipe::kInteger;
    case OpcodeClassId::kFp64:
      return Pipe::kDouble;
    case OpcodeClassId::kFp32:
    case OpcodeClassId::kFp16:
    case OpcodeClassId::kImad:
    case OpcodeClassId::kImadWide:
      return Pipe::kMultiplyAdd;
    default:
      return Pipe::kNone;
  }
}

// Issue slots from an instruction of one pipe to one that reads its result.
std::int64_t issue_cycles(Pipe from, Pipe to) {
  if (from == Pipe::kDouble) return kDoubleIssueCycles;
  return from == Pipe::kNone || from == to ? kDependentIssueCycles : kAcrossIssueCycles;
}

// A segment to which instructions are still added.
class OpenSegment {
 public:
  explicit OpenSegment(std::uint32_t waits) {
    for (int k = 1; k < kLateResults; ++k) {
      if (waits & (1u << k)) segment_.waits_for.push_back(static_cast<LateResult>(k));
    }
  }

  // A segment that continues the code of the segment before it. The compiler writes stalls for
  // results of fixed latency into the code as if the warp waited for nothing else. So a stall after
  // this segment's first instruction remains, although its result has long arrived. The stall of
  // the first instruction itself ends while the warp waits for the scoreboard.
  OpenSegment(std::uint32_t waits, const OpenSegment& before) : OpenSegment(waits) {
    for (const auto& [reg, made] : before.made_)
      made_[reg] = {made.slot - before.now_, 0, made.pipe, made.product_slots};
    due_ = before.late_;
  }

  // [kind of result] the issue slot of the last result of the segment before that this segment
  // waits for. A result that is used later than the first may arrive as much later.
  std::map<LateResult, std::int64_t> begins_before() const {
    std::map<LateResult, std::int64_t> begins = needed_;
    for (const auto& [reg, late] : due_) {
      const auto it = begins.find(late.result);
      if (it != begins.end())
        it->second = std::max(it->second, late.slot - now_);
      else if (!is_load(late.result))
        begins[late.result] = late.slot - now_;
    }
    return begins;
  }

  // How an access of the run is executed.
  struct Access {
    std::int64_t active = 0;  // executions that touch memory
    double new_share = 1;     // of its sectors: those that no earlier load requests
    Addresses addresses = Addresses::kUnknown;
    bool outlives_wait = false;
  };
  void add(const CodeLine& line, bool is_off, const Access& access) {
    const OpcodeClass& cls = class_of_opcode(line.sass.opcode);
    ++segment_.classes[std::string(is_off ? opcode_class(OpcodeClassId::kPredicatedOff).name
                                          : cls.name)];
    ++instructions_;
    const std::int64_t threads = line.row.threads;
    lanes_ += threads < 0 ? 32 : ratio(threads, line.row.executed);
    if (instructions_ == 1) overlook_waits(line.sass, cls);
    const std::int64_t before = now_;
    depend(line.sass, cls);
    if (now_ > before + 1)
      kept_.clear();  // other warps issue in between and overwrite the reuse cache
    read_operands(line.sass);
    if (const TensorProduct product = tensor_product_of(line.sass.opcode); product && !is_off)
      segment_.tensor_products[product.kind] += product.count;
    if (ends_group(line)) segment_.last_producer_slots[LateResult::kTensor] = now_;
    if (base_of(line.sass.opcode) == "BSYNC") ++segment_.reconvergences;
    if (cls.is_access && !is_off) add_access(line, cls, access);
  }

  bool is_empty() const { return instructions_ == 0; }

  // The instruction before branched in this share of its executions.
  void branch(double share) { segment_.branches += share; }

  Segment finish(SegmentEnd end) {
    segment_.end = end;
    segment_.lanes = is_empty() ? 32 : std::min(lanes_ / static_cast<double>(instructions_), 32.0);
    for (SegmentAccess& access : segment_.accesses) {
      access.lanes = std::min(access.lanes / access.count, 32.0);
      access.new_sector_share =
          access.sectors > 0 ? std::min(access.new_sector_share / access.sectors, 1.0) : 1;
    }
    return std::move(segment_);
  }

 private:
  // Counts operands that are not in the reuse cache. It has an entry for each operand place and
  // bank, which lasts until an operand of the same place and bank is read (Huerta et al.,
  // "Analyzing modern NVIDIA GPU cores", 2025). The page does not show which operands the compiler
  // marks with .reuse; it marks those that a later instruction finds there.
  void read_operands(const SassInstruction& sass) {
    for (const auto& operand : sass.operands) {
      const std::size_t bank = operand.reg % 2;
      const auto [it, is_new] = kept_.try_emplace({operand.place, bank}, operand.reg);
      if (is_new || it->second != operand.reg) ++segment_.register_bank_reads[bank];
      it->second = operand.reg;
    }
    std::erase_if(kept_, [&](const auto& kept) {
      return std::find(sass.writes.begin(), sass.writes.end(), kept.second) != sass.writes.end();
    });
  }

  // Moves earlier results so far back that the first instruction waits for none of them.
  void overlook_waits(const SassInstruction& sass, const OpcodeClass& cls) {
    const std::size_t first = sass.guard.empty() || sass.reads.empty() ? 0 : 1;
    std::int64_t wait = guard_wait(sass, first, 1);
    for (std::size_t i = first; i < sass.reads.size(); ++i) {
      const auto it = made_.find(sass.reads[i]);
      if (it == made_.end()) continue;
      wait = std::max(wait, it->second.ready(pipe_of(cls)) - 1);
    }
    if (wait <= 0) return;
    for (auto& [reg, made] : made_) made.slot -= wait;
  }

  // Issues the instruction in order, one a slot. Results arrive after issue_cycles(), guards after
  // kGuardIssueCycles.
  void depend(const SassInstruction& sass, const OpcodeClass& cls) {
    std::int64_t slot = now_ + 1, depth = 0;
    Made needed;
    const Pipe pipe = pipe_of(cls);
    const auto ready = [&](const Made& made) { return made.ready(pipe); };
    const std::size_t first = sass.guard.empty() || sass.reads.empty() ? 0 : 1;
    for (std::size_t i = 0; i < sass.reads.size(); ++i) {
      const auto it = made_.find(sass.reads[i]);
      if (it == made_.end()) continue;
      depth = std::max(depth, it->second.depth);
      if (i >= first && ready(it->second) > ready(needed)) needed = it->second;
    }
    if (const std::int64_t wait = guard_wait(sass, first, slot); wait > 0) {
      ++segment_.predicate_stalls;
      segment_.predicate_stall_cycles += wait;
      slot += wait;
    }
    if (slot < ready(needed)) {
      if (needed.product_slots > 0) {
        segment_.tensor_stall_cycles += static_cast<double>(ready(needed) - slot);
      } else {
        count_distance(slot - needed.slot, issue_cycles(needed.pipe, pipe));
      }
      slot = ready(needed);
    }
    now_ = slot;
    for (const RegisterIndex r : sass.reads) {
      const auto due = due_.find(r);
      if (due == due_.end()) continue;
      const auto [it, is_new] = needed_.try_emplace(due->second.result, 0);
      it->second = std::max(it->second, due->second.slot - (slot - 1));
      due_.erase(due);
    }
    const LateResult late = late_result_of(sass);
    const bool is_late = late != LateResult::kNone;
    const TensorProduct product = tensor_product_of(sass.opcode);
    if (is_late) segment_.last_producer_slots[late] = slot - 1;
    for (const RegisterIndex r : sass.writes) {
      due_.erase(r);
      late_.erase(r);
      if (is_late) late_[r] = {slot - 1, late};
    }
    segment_.critical_path = std::max(segment_.critical_path, depth + 1);
    for (const RegisterIndex r : sass.writes) {
      if (is_late || product.of_group) {
        made_.erase(r);
      } else {
        made_[r] = {slot, depth + 1, pipe, product.latency_slots};
      }
    }
  }

  void count_distance(std::int64_t distance, std::int64_t latency) {
    const auto at = static_cast<std::size_t>(distance - 1);
    if (latency == kDoubleIssueCycles) {
      ++segment_.distances_double[at];
    } else if (latency == kAcrossIssueCycles) {
      ++segment_.distances_across[at];
    } else {
      ++segment_.distances[at];
    }
  }

  // Cycles that the instruction waits for its guard.
  std::int64_t guard_wait(const SassInstruction& sass, std::size_t guards,
                          std::int64_t slot) const {
    if (guards == 0) return 0;
    const auto it = made_.find(sass.reads[0]);
    if (it == made_.end()) return 0;
    return std::max<std::int64_t>(it->second.slot + kGuardIssueCycles - slot, 0);
  }

  void add_access(const CodeLine& line, const OpcodeClass& cls, const Access& done) {
    const std::int64_t bytes = access_bytes(line), active = done.active;
    const bool is_float = adds_floats(line.sass.opcode);
    const bool through_l1 = copies_through_l1(line.sass.opcode);
    const TextureKind texture = texture_kind(line);
    const Addresses addresses =
        cls.paper == InstructionClass::kGlobal ? done.addresses : Addresses::kUnknown;
    auto it = std::find_if(
        segment_.accesses.begin(), segment_.accesses.end(), [&](const SegmentAccess& a) {
          return a.access_class == cls.name && a.bytes == bytes && a.is_float == is_float &&
                 a.through_l1 == through_l1 && a.addresses == addresses && a.texture == texture &&
                 a.outlives_wait == done.outlives_wait;
        });
    if (it == segment_.accesses.end()) {
      SegmentAccess access;
      access.access_class = cls.name;
      access.bytes = bytes;
      access.is_float = is_float;
      access.through_l1 = through_l1;
      access.addresses = addresses;
      access.texture = texture;
      access.outlives_wait = done.outlives_wait;
      access.lanes = access.new_sector_share = 0;
      it = segment_.accesses.insert(it, access);
    }
    ++it->count;
    const bool is_local = is_local_access(cls);
    const double sectors = ratio(is_local ? line.row.local_sectors : line.row.sectors, active);
    it->new_sector_share += done.new_share * sectors;
    it->sectors += sectors;
    it->tag_lookups += is_local ? lines_of_local(sectors) : ratio(line.row.tags, active);
    it->wavefronts += ratio(line.row.wavefronts, active);
    it->lanes += lanes_of(line, active);
  }

  struct Late {
    std::int64_t slot = 0;  // before it
    LateResult result = LateResult::kNone;
  };
  struct Made {
    std::int64_t slot = -1000;  // of this segment; negative for earlier code, long ago by default
    std::int64_t depth = 0;
    Pipe pipe = Pipe::kNone;
    std::int64_t product_slots = 0;  // latency of a product of matrices

    // The first slot at which an instruction of the pipe may use it.
    std::int64_t ready(Pipe to) const {
      return slot + (product_slots > 0 ? product_slots : issue_cycles(pipe, to));
    }
  };

  Segment segment_;
  std::int64_t instructions_ = 0;
  double lanes_ = 0;
  std::int64_t now_ = 0;
  std::map<RegisterIndex, Made> made_;
  std::map<RegisterIndex, Late> late_, due_;  // outstanding from this segment, from the one before
  std::map<LateResult, std::int64_t> needed_;
  std::map<std::pair<std::size_t, std::size_t>, RegisterIndex> kept_;  // [place, bank]
};

// Sets when the results of the segment before are due, which is known once the next one is full.
void settle_begins(const OpenSegment& open, std::vector<Segment>& before) {
  if (before.empty()) return;
  for (const auto& [result, begin] : open.begins_before()) {
    std::int64_t& last = before.back().last_producer_slots[result];
    last = std::clamp<std::int64_t>(begin, 0, last);
  }
}

}  // namespace

Segmenter::Segmenter(const Code& code, const Flow& flow, const std::vector<std::int64_t>& active,
                     std::int64_t block_threads)
    : code_(code),
      block_threads_(block_threads),
      copy_stages_(copy_stages_of(code)),
      active_(active),
      waits_(scoreboard_waits(code, flow)),
      addresses_(address_sources(code, flow)) {}

std::vector<Segment> Segmenter::segments(const std::vector<std::size_t>& run,
                                         const std::set<std::size_t>& off) const {
  std::vector<Segment> out;
  if (run.empty()) return out;
  const std::vector<double> new_shares = new_shares_of(run, off);
  OpenSegment open(waits_.kinds[run[0]]);
  const auto push = [&](OpenSegment& full, SegmentEnd end, std::vector<Segment>& to) {
    to.push_back(full.finish(end));
    if (to.back().classes.contains("async_copy")) to.back().copy_stages = copy_stages_;
  };
  for (std::size_t place = 0; place < run.size(); ++place) {
    const std::size_t i = run[place];
    if (waits_.kinds[i] != 0 && !open.is_empty()) {
      settle_begins(open, out);
      push(open, SegmentEnd::kLoad, out);
      open = OpenSegment(waits_.kinds[i], open);
    }
    open.add(code_[i], off.contains(i),
             {active_[i], new_shares[place], addresses_[i].addresses, waits_.outlives[i]});
    open.branch(place + 1 < run.size() ? (run[place + 1] == i + 1 ? 0.0 : 1.0) : taken(i));
    if (!joins_block(code_[i], block_threads_)) continue;
    settle_begins(open, out);
    push(open, SegmentEnd::kBarrier, out);
    open = OpenSegment(place + 1 < run.size() ? waits_.kinds[run[place + 1]] : 0, open);
  }
  const SassInstruction& last = code_[run.back()].sass;
  const bool is_exit = base_of(last.opcode) == "EXIT" && last.guard.empty();
  if (!open.is_empty()) {
    settle_begins(open, out);
    push(open, is_exit ? SegmentEnd::kExit : SegmentEnd::kEdge, out);
  }
  return out;
}

std::vector<double> Segmenter::new_shares_of(const std::vector<std::size_t>& run,
                                             const std::set<std::size_t>& off) const {
  RequestedSectors requested;
  for (std::size_t place = 0; place < run.size(); ++place) {
    const CodeLine& line = code_[run[place]];
    const OpcodeClass& cls = class_of_opcode(line.sass.opcode);
    const bool is_load = cls.is_access && is_global_load(cls);
    const std::int64_t active = active_[run[place]];
    if (is_load && !off.contains(run[place])) {
      requested.load(line.row.text, {.place = place,
                                     .bytes = access_bytes(line),
                                     .sectors = ratio(line.row.sectors, active),
                                     .lanes = lanes_of(line, active)});
    }
    requested.write(line.sass);
  }
  std::vector<double> shares = requested.new_shares(run.size());
  const double warps = std::ceil(static_cast<double>(block_threads_) / 32);
  for (std::size_t place = 0; place < run.size(); ++place) {
    if (addresses_[run[place]].is_alike_in_block) shares[place] /= warps;
  }
  return shares;
}

// The share of executions in which the last instruction of a run branches. Branches back to the
// head of a loop are not counted here.
double Segmenter::taken(std::size_t line) const {
  const CodeLine& code = code_[line];
  const bool is_branch = base_of(code.sass.opcode) == "BRA" || base_of(code.sass.opcode) == "BRX";
  if (!is_branch || (code.sass.target && *code.sass.target <= code.row.address)) return 0;
  const std::int64_t next = line + 1 < code_.size() ? code_[line + 1].row.executed : 0;
  return 1 - std::min(ratio(next, code.row.executed), 1.0);
}

}  // namespace pnsim
