#include "simulator/model/derive/segmenter.h"

#include <algorithm>
#include <array>
#include <map>

#include "simulator/model/sass/address_sources.h"
#include "simulator/model/sass/asked_for.h"
#include "simulator/model/sass/line_access.h"

namespace pnsim {
namespace {

// Copies without a register for their result are waited for as one.
constexpr std::size_t kCopies = kRegisterCount;
constexpr int kMaxPasses = 8;  // over the code, until what is in flight at each block is known

// [register] the kind of late result that is on its way into it.
using InFlight = std::array<LateResult, kRegisterCount + 1>;

bool waits_for_copies(std::string_view opcode) {
  const std::string_view base = base_of(opcode);
  return base == "DEPBAR" || base == "SYNCS";
}

// Kinds waited for by one instruction: whoever reads a register with a result on its way, or
// writes into one. All of these kinds and the quicker ones have arrived then.
std::uint32_t wait_for(InFlight& flight, const SassInstruction& sass) {
  LateResult latest = LateResult::kNone;
  std::uint32_t kinds = 0;
  const auto need = [&](std::size_t r) {
    if (flight[r] == LateResult::kNone) return;
    kinds |= 1u << static_cast<int>(flight[r]);
    latest = std::max(latest, flight[r]);
  };
  for (const RegisterIndex r : sass.reads) need(r);
  for (const RegisterIndex r : sass.writes) need(r);
  if (waits_for_copies(sass.opcode)) need(kCopies);
  if (kinds == 0) return 0;
  for (LateResult& f : flight) {
    if (f <= latest) f = LateResult::kNone;
  }
  return kinds;
}

void issue(InFlight& flight, const SassInstruction& sass) {
  const LateResult result = class_of_opcode(sass.opcode).result;
  if (result == LateResult::kAsyncCopy) flight[kCopies] = result;
  for (const RegisterIndex r : sass.writes) flight[r] = result;
}

// The pipe that an instruction's result comes from; where it comes late, and without one, none.
enum class Pipe { kNone, kInteger, kMultiplyAdd, kDouble };

Pipe pipe_of(const OpcodeClass& cls) {
  if (cls.name == "int" || cls.name == "vote") return Pipe::kInteger;
  if (cls.name == "fp64") return Pipe::kDouble;
  const bool is_fma =
      cls.name == "fp32" || cls.name == "imad" || cls.name == "imad_wide" || cls.name == "fp16";
  return is_fma ? Pipe::kMultiplyAdd : Pipe::kNone;
}

// In issue slots, from an instruction of one pipe to one that reads its result.
std::int64_t issue_cycles(Pipe from, Pipe to) {
  if (from == Pipe::kDouble) return kDoubleIssueCycles;
  return from == Pipe::kNone || from == to ? kDependentIssueCycles : kAcrossIssueCycles;
}

// One segment as it grows.
class Growing {
 public:
  explicit Growing(std::uint32_t waits) {
    for (int k = 1; k < kLateResults; ++k) {
      if (waits & (1u << k)) segment_.waits_for.push_back(static_cast<LateResult>(k));
    }
  }

  // The same behind a segment in whose code it goes on. Waits for results of fixed latency are
  // written into the code, as if it waited for nothing else: what is due after this segment's first
  // instruction has to be waited for though the result has been there for long. What the first
  // itself waits for runs out meanwhile.
  Growing(std::uint32_t waits, const Growing& before) : Growing(waits) {
    for (const auto& [reg, made] : before.made_)
      made_[reg] = {made.slot - before.now_, 0, made.pipe};
    due_ = before.late_;
  }

  // [kind of result] when the one begins, of those of the segment before, that this one waits for:
  // used so much later than the first, it may come so much later.
  std::map<LateResult, std::int64_t> begins_before() const {
    std::map<LateResult, std::int64_t> begins = needed_;
    for (const auto& [reg, late] : due_) {
      const auto it = begins.find(late.result);
      if (it != begins.end())
        it->second = std::max(it->second, late.slot - now_);
      else if (is_quick(late.result))
        begins[late.result] = late.slot - now_;
    }
    return begins;
  }

  // Of an access.
  struct Access {
    std::int64_t carried_out = 0;  // executions
    double fresh = 1;              // the share of its sectors that no load before it asked for
    Addresses addresses = Addresses::kUnknown;
  };
  void add(const CodeLine& line, bool is_off, const Access& access) {
    const OpcodeClass& cls = class_of_opcode(line.sass.opcode);
    ++segment_.classes[std::string(is_off ? predicated_off_class().name : cls.name)];
    ++instructions_;
    const std::int64_t threads = line.row.threads;
    lanes_ += threads < 0 ? 32 : ratio(threads, line.row.executed);
    if (instructions_ == 1) overlook_waits(line.sass, cls);
    const std::int64_t before = now_;
    depend(line.sass, cls);
    if (now_ > before + 1) kept_.clear();  // others are issued meanwhile, and read theirs
    read_operands(line.sass);
    if (base_of(line.sass.opcode) == "BSYNC") ++segment_.meets;
    if (cls.is_access && !is_off) add_access(line, cls, access);
  }

  bool is_empty() const { return instructions_ == 0; }

  // The instruction before went somewhere else than on, in so many of its executions.
  void branch(double share) { segment_.branches += share; }

  Segment finish(SegmentEnd end) {
    segment_.end = end;
    segment_.lanes = is_empty() ? 32 : std::min(lanes_ / static_cast<double>(instructions_), 32.0);
    for (SegmentAccess& access : segment_.accesses) {
      access.lanes = std::min(access.lanes / static_cast<double>(access.count), 32.0);
      access.fresh = access.sectors > 0 ? std::min(access.fresh / access.sectors, 1.0) : 1;
    }
    return std::move(segment_);
  }

 private:
  // Operands that are not kept from the instruction before: compilers keep what the next one reads
  // at the same place (.reuse, which the page does not show).
  void read_operands(const SassInstruction& sass) {
    std::map<std::size_t, RegisterIndex> kept;
    for (const auto& operand : sass.operands) {
      const auto it = kept_.find(operand.place);
      if (it == kept_.end() || it->second != operand.reg) ++segment_.bank_reads[operand.reg % 2];
      kept[operand.place] = operand.reg;
    }
    std::erase_if(kept, [&](const auto& operand) {
      return std::find(sass.writes.begin(), sass.writes.end(), operand.second) != sass.writes.end();
    });
    kept_ = std::move(kept);
  }

  // Moves what was made before so far back that the instruction can be the first.
  void overlook_waits(const SassInstruction& sass, const OpcodeClass& cls) {
    const std::size_t first = sass.guard.empty() || sass.reads.empty() ? 0 : 1;
    std::int64_t wait = guard_wait(sass, first, 1);
    for (std::size_t i = first; i < sass.reads.size(); ++i) {
      const auto it = made_.find(sass.reads[i]);
      if (it == made_.end()) continue;
      wait = std::max(wait, it->second.slot + issue_cycles(it->second.pipe, pipe_of(cls)) - 1);
    }
    if (wait <= 0) return;
    for (auto& [reg, made] : made_) made.slot -= wait;
  }

  // In-order issue, one instruction a slot; results after issue_cycles(), guards after
  // kGuardIssueCycles.
  void depend(const SassInstruction& sass, const OpcodeClass& cls) {
    std::int64_t slot = now_ + 1, depth = 0;
    Made needed;
    const Pipe pipe = pipe_of(cls);
    const auto ready = [&](const Made& made) { return made.slot + issue_cycles(made.pipe, pipe); };
    const std::size_t first = sass.guard.empty() || sass.reads.empty() ? 0 : 1;
    for (std::size_t i = 0; i < sass.reads.size(); ++i) {
      const auto it = made_.find(sass.reads[i]);
      if (it == made_.end()) continue;
      depth = std::max(depth, it->second.depth);
      if (i >= first && ready(it->second) > ready(needed)) needed = it->second;
    }
    if (const std::int64_t wait = guard_wait(sass, first, slot); wait > 0) {
      ++segment_.guards;
      segment_.guard_cycles += wait;
      slot += wait;
    }
    if (slot < ready(needed)) {
      count_distance(slot - needed.slot, issue_cycles(needed.pipe, pipe));
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
    const bool is_late = cls.result != LateResult::kNone;
    if (is_late) segment_.begins[cls.result] = slot - 1;
    for (const RegisterIndex r : sass.writes) {
      due_.erase(r);
      late_.erase(r);
      if (is_late) late_[r] = {slot - 1, cls.result};
    }
    segment_.critical_path = std::max(segment_.critical_path, depth + 1);
    for (const RegisterIndex r : sass.writes) {
      is_late ? void(made_.erase(r)) : void(made_[r] = {slot, depth + 1, pipe});
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
    const std::int64_t bytes = access_bytes(line), carried_out = done.carried_out;
    const bool is_float = adds_floats(line.sass.opcode);
    const Addresses addresses =
        cls.paper == InstructionClass::kGlobal ? done.addresses : Addresses::kUnknown;
    auto it = std::find_if(segment_.accesses.begin(), segment_.accesses.end(),
                           [&](const SegmentAccess& a) {
                             return a.access_class == cls.name && a.bytes == bytes &&
                                    a.is_float == is_float && a.addresses == addresses;
                           });
    if (it == segment_.accesses.end()) {
      SegmentAccess access;
      access.access_class = cls.name;
      access.bytes = bytes;
      access.is_float = is_float;
      access.addresses = addresses;
      access.lanes = access.fresh = 0;
      it = segment_.accesses.insert(it, access);
    }
    ++it->count;
    const bool is_local = is_local_access(cls);
    const double sectors = ratio(is_local ? line.row.local_sectors : line.row.sectors, carried_out);
    it->fresh += done.fresh * sectors;
    it->sectors += sectors;
    it->tags += is_local ? lines_of_local(sectors) : ratio(line.row.tags, carried_out);
    it->wavefronts += ratio(line.row.wavefronts, carried_out);
    it->lanes += lanes_of(line, carried_out);
  }

  struct Late {
    std::int64_t slot = 0;  // before it
    LateResult result = LateResult::kNone;
  };
  struct Made {
    std::int64_t slot = -1000;  // in this segment, or in the code before it; long ago
    std::int64_t depth = 0;
    Pipe pipe = Pipe::kNone;
  };

  Segment segment_;
  std::int64_t instructions_ = 0;
  double lanes_ = 0;
  std::int64_t now_ = 0;
  std::map<RegisterIndex, Made> made_;
  std::map<RegisterIndex, Late> late_, due_;  // asked for in this segment, in the one before
  std::map<LateResult, std::int64_t> needed_;
  std::map<std::size_t, RegisterIndex> kept_;  // [place] the operand of the instruction before
};

void settle(const Growing& growing, std::vector<Segment>& before) {
  if (before.empty()) return;
  for (const auto& [result, begin] : growing.begins_before()) {
    std::int64_t& last = before.back().begins[result];
    last = std::clamp<std::int64_t>(begin, 0, last);
  }
}

bool ends_with_barrier(const SassInstruction& sass) {
  return class_of_opcode(sass.opcode).name == "barrier" &&
         sass.opcode.find(".ARV") == std::string::npos;
}

}  // namespace

Segmenter::Segmenter(const Code& code, const Flow& flow,
                     const std::vector<std::int64_t>& carried_out)
    : code_(code),
      carried_out_(carried_out),
      waits_(code.size(), 0),
      addresses_(address_sources(code, flow)) {
  find_waits(flow);
}

void Segmenter::find_waits(const Flow& flow) {
  std::vector<InFlight> after(flow.blocks.size(), InFlight{});
  bool is_changed = true;
  for (int pass = 0; is_changed && pass < kMaxPasses; ++pass) {
    is_changed = false;
    for (const std::size_t b : flow.order) {
      InFlight flight{};
      for (const std::size_t p : flow.blocks[b].previous) {
        for (std::size_t r = 0; r < flight.size(); ++r) {
          flight[r] = std::max(flight[r], after[p][r]);
        }
      }
      for (std::size_t i = flow.blocks[b].first; i <= flow.blocks[b].last; ++i) {
        waits_[i] = wait_for(flight, code_[i].sass);
        issue(flight, code_[i].sass);
      }
      is_changed |= flight != after[b];
      after[b] = flight;
    }
  }
}

std::vector<Segment> Segmenter::segments(const std::vector<std::size_t>& run,
                                         const std::set<std::size_t>& off) const {
  std::vector<Segment> out;
  if (run.empty()) return out;
  const std::vector<double> fresh = fresh_of(run, off);
  Growing growing(waits_[run[0]]);
  for (std::size_t place = 0; place < run.size(); ++place) {
    const std::size_t i = run[place];
    if (waits_[i] != 0 && !growing.is_empty()) {
      settle(growing, out);
      out.push_back(growing.finish(SegmentEnd::kLoad));
      growing = Growing(waits_[i], growing);
    }
    growing.add(code_[i], off.contains(i), {carried_out_[i], fresh[place], addresses_[i]});
    growing.branch(place + 1 < run.size() ? (run[place + 1] == i + 1 ? 0.0 : 1.0) : taken(i));
    if (!ends_with_barrier(code_[i].sass)) continue;
    settle(growing, out);
    out.push_back(growing.finish(SegmentEnd::kBarrier));
    growing = Growing(place + 1 < run.size() ? waits_[run[place + 1]] : 0, growing);
  }
  const SassInstruction& last = code_[run.back()].sass;
  const bool is_exit = base_of(last.opcode) == "EXIT" && last.guard.empty();
  if (!growing.is_empty()) {
    settle(growing, out);
    out.push_back(growing.finish(is_exit ? SegmentEnd::kExit : SegmentEnd::kEdge));
  }
  return out;
}

std::vector<double> Segmenter::fresh_of(const std::vector<std::size_t>& run,
                                        const std::set<std::size_t>& off) const {
  AskedFor asked;
  for (std::size_t place = 0; place < run.size(); ++place) {
    const CodeLine& line = code_[run[place]];
    const OpcodeClass& cls = class_of_opcode(line.sass.opcode);
    const bool is_load = cls.is_access && is_global_load(cls);
    const std::int64_t carried_out = carried_out_[run[place]];
    if (is_load && !off.contains(run[place])) {
      asked.load(line.row.text, {place, 0, access_bytes(line), ratio(line.row.sectors, carried_out),
                                 lanes_of(line, carried_out)});
    }
    asked.write(line.sass);
  }
  return asked.fresh(run.size());
}

// Of the last instruction of a run, how often it leads elsewhere than on. The way back to the head
// of a loop is not counted here.
double Segmenter::taken(std::size_t line) const {
  const CodeLine& code = code_[line];
  const bool is_branch = base_of(code.sass.opcode) == "BRA" || base_of(code.sass.opcode) == "BRX";
  if (!is_branch || (code.sass.target && *code.sass.target <= code.row.address)) return 0;
  const std::int64_t next = line + 1 < code_.size() ? code_[line + 1].row.executed : 0;
  return 1 - std::min(ratio(next, code.row.executed), 1.0);
}

}  // namespace pnsim
