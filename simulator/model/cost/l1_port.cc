#include "simulator/model/cost/l1_port.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "simulator/model/cost/issue_pipes.h"
#include "simulator/model/cost/texture_cost.h"

namespace pnsim {
namespace {

// Cycles of a warp's asynchronous copy, and of the instruction that ends a group of them. Measured
// as groups of 4 and of 16 copies, each with its end and 128 shared loads.
struct CopyCycles {
  static constexpr double kFew = 4, kMany = 16, kLoads = 128;  // of the microbenchmark's groups
  double copy = 1, group_end = 0;

  CopyCycles(double of_few, double of_many, const DeviceFacts& facts)
      : copy(std::max((of_many - of_few) / (kMany - kFew), 1.0)),
        group_end(std::max(of_few - kFew * copy - kLoads * facts.shared_load_cycles, 0.0)) {}
};

CopyCycles copy_cycles(std::int64_t bytes, const CopyFacts& of, const DeviceFacts& facts) {
  if (bytes <= 4) {
    return {of.async_copy_4_bytes_group_4_cycles, of.async_copy_4_bytes_group_16_cycles, facts};
  }
  if (bytes <= 8) {
    return {of.async_copy_8_bytes_group_4_cycles, of.async_copy_8_bytes_group_16_cycles, facts};
  }
  return {of.async_copy_16_bytes_group_4_cycles, of.async_copy_16_bytes_group_16_cycles, facts};
}

// Copies write shared memory by the port, so wavefronts that collide take longer than the measured
// ones, which do not. Of 16 bytes only copies that bypass L1 were measured: such a copy through L1
// is taken to need a cycle for its look-up.
double copies_port_cycles(const SegmentAccess& access, const Traffic& traffic,
                          const DeviceFacts& facts) {
  constexpr double kWavefrontBytes = 128;
  const double measured = access.count * copy_cycles(access.bytes, *facts.copies, facts).copy;
  const double counted_share = access.through_l1 ? traffic.uncounted.per_copied_wavefront
                                                 : traffic.uncounted.per_bypassing_wavefront;
  const double written = access.wavefronts * counted_share * facts.shared_load_cycles;
  if (!access.through_l1) return std::max(measured, written);
  if (access.bytes > 8) return std::max(measured, access.count + written);
  const double dense =
      access.count * kWarpLanes * static_cast<double>(access.bytes) / kWavefrontBytes;
  return measured + std::max(written - dense, 0.0);
}

double shared_wavefronts(const SegmentAccess& access, const Traffic& traffic) {
  return std::max(access.wavefronts, access.count) * (1 + traffic.uncounted.per_shared_wavefront);
}

// Cycles from one wavefront of a warp's load to the next.
double warp_wavefront_cycles(const DeviceFacts& facts) {
  constexpr double kMeasuredWavefronts = 4;  // of a load of 16 bytes a lane
  if (!facts.wide_loads) return facts.shared_load_cycles;
  const double longer =
      facts.wide_loads->shared_load_16_bytes_latency_cycles - facts.shared_latency_cycles;
  return std::max(longer / (kMeasuredWavefronts - 1), facts.shared_load_cycles);
}

L1Lookups lookups_of(const SegmentView& view, std::size_t access, const CostInputs& in) {
  return l1_lookups(view.segment.accesses[access], view.patterns[access], in.tag_banks, in.traffic,
                    in.facts, in.heuristics);
}

}  // namespace

std::int64_t tag_bank_count(const DeviceFacts& facts) {
  constexpr double kLines = 31;  // of the microbenchmark's load
  return std::llround(std::clamp(kLines / facts.l1_load_31_lines_cycles, 1.0, kWarpLanes));
}

double shared_access_cycles(const SegmentAccess& access, const Traffic& traffic,
                            const DeviceFacts& facts) {
  return shared_wavefronts(access, traffic) * (access.access_class == "shared_atomic"
                                                   ? facts.shared_atomic_cycles
                                                   : facts.shared_load_cycles);
}

L1Lookups l1_lookups(const SegmentAccess& access, const AccessPattern& pattern,
                     const TagBanks& banks, const Traffic& traffic, const DeviceFacts& facts,
                     const Heuristics& heuristics) {
  const double count = pattern.count;
  if (pattern.is_texture) {
    const double fetches =
        count * texture_fetch_cycles(access, traffic.l1.sectors_per_fetch, facts, heuristics);
    return {fetches, count, fetches};
  }
  if (pattern.is_bulk) return {count, count, count};  // the data pass beside the port
  L1Lookups out;
  out.wavefronts = std::max(access.tag_lookups * traffic.l1.cycles_per_tag, count);
  out.tags = count * banks.cycles(pattern, heuristics.on(Heuristic::kTagBankConflicts));
  out.port = std::max(out.wavefronts * facts.l1_load_cycles, out.tags);
  if (pattern.is_copy && facts.copies)
    out.port = std::max(out.port, copies_port_cycles(access, traffic, facts));
  return out;
}

// Measured with one warp: 32 lanes that collide in one bank of L1 take 62 cycles longer than 32
// lanes in 32 banks, and as many between two such loads. The look-ups of 32 lines take 7 cycles
// longer than one.
Replays l1_replays(const SegmentView& view, const CostInputs& in) {
  const double of_wavefront = warp_wavefront_cycles(in.facts);
  double loads = 0, of_all = 0, apart = 0;  // apart: cycles from one load to the next, summed
  for (std::size_t a = 0; a < view.patterns.size(); ++a) {
    const AccessPattern& pattern = view.patterns[a];
    const bool may_hit = pattern.is_load && !pattern.is_copy && !pattern.is_bulk &&
                         !pattern.is_atomic && !pattern.is_texture;
    if (!may_hit) continue;
    const L1Lookups one = lookups_of(view, a, in);
    const double data = of_wavefront * (one.wavefronts - pattern.count);
    const double tags = std::max(one.tags - pattern.count, 0.0);
    loads += pattern.count;
    of_all += data + tags;
    apart += std::max(data, tags);
  }
  const double last = 1 / std::max(loads, 1.0);  // the share of the last load
  return {(1 - last) * apart, last * of_all};
}

Replays shared_replays(const Segment& segment, const Traffic& traffic, const DeviceFacts& facts) {
  double loads = 0, wavefronts = 0;
  for (const SegmentAccess& access : segment.accesses) {
    if (access.access_class != "shared_load" && access.access_class != "matrix_load") continue;
    loads += access.count;
    wavefronts += shared_wavefronts(access, traffic);
  }
  const double apart = warp_wavefront_cycles(facts) * std::max(wavefronts - loads, 0.0);
  const double last = 1 / std::max(loads, 1.0);
  return {(1 - last) * apart, last * apart};
}

double longer_at_l1_port(const SegmentView& view, const CostInputs& in) {
  double cycles = 0;
  for (std::size_t a = 0; a < view.patterns.size(); ++a) {
    if (view.patterns[a].is_shared) continue;
    cycles += lookups_of(view, a, in).port - view.patterns[a].count;
  }
  return cycles;
}

// The end is the same instruction for copies of any width: the mean of the measurements.
double copy_group_cycles(const Segment& segment, const DeviceFacts& facts) {
  constexpr std::int64_t kWidths[] = {4, 8, 16};  // bytes
  const double ends = count_of(segment, "copy_commit");
  if (!facts.copies || ends == 0) return 0;
  double sum = 0;
  for (const std::int64_t bytes : kWidths)
    sum += copy_cycles(bytes, *facts.copies, facts).group_end;
  return ends * sum / static_cast<double>(std::size(kWidths));
}

// A read of a special register takes one wavefront, and the next such read has to wait. Wavefronts
// of other accesses fill the gap, if there are any at that time. Accesses without an active lane
// take the wavefronts that the profiler counted.
double laneless_port_cycles(const Segment& segment, bool come_together, const Traffic& traffic,
                            const DeviceFacts& facts, const Heuristics& heuristics) {
  const double alone = 1 / facts.special_register_rate;
  const bool has_gaps = !come_together && heuristics.on(Heuristic::kSpecialRegisterGaps);
  const double each =
      has_gaps ? std::max(alone - traffic.uncounted.beside_special_register, 1.0) : alone;
  return count_of(segment, "special_register") * each +
         count_of(segment, "predicated_off") * traffic.uncounted.per_access_without_lanes *
             facts.shared_load_cycles;
}

double short_scoreboard_latency(const Segment& segment, const Replays& replays,
                                const DeviceFacts& facts) {
  const double shared = facts.shared_latency_cycles;
  const struct {
    const char* name;
    LateResult result;
    double latency;
    bool is_replayed = false;
  } kResults[] = {{"special", LateResult::kSpecial, facts.special_latency_cycles},
                  {"special_register", LateResult::kSpecial, shared},  // passes the same port
                  {"shuffle", LateResult::kShuffle, facts.shuffle_latency_cycles},
                  // Measured together with the shift that turns the loaded value into an address.
                  {"constant_load", LateResult::kConstant,
                   facts.constant_latency_cycles - facts.int_logic_latency_cycles},
                  {"shared_load", LateResult::kShared, shared, true},
                  {"shared_atomic", LateResult::kShared, shared},
                  {"matrix_load", LateResult::kShared, shared, true}};
  double latency = 0;
  for (const auto& row : kResults) {
    if (count_of(segment, row.name) == 0) continue;
    const auto slots = segment.last_producer_slots.find(row.result);
    // The last access starts when the unit has accepted those before it.
    const double taken = (count_of(segment, row.name) - 1) * unit_cycles(row.name, facts);
    const double begin = std::max(
        slots == segment.last_producer_slots.end() ? 0 : static_cast<double>(slots->second), taken);
    latency = std::max(latency, row.latency + begin + (row.is_replayed ? replays.after(begin) : 0));
  }
  return latency;
}

double short_scoreboard_accesses(const Segment& segment) {
  double count = count_of(segment, "shuffle") + count_of(segment, "special_register");
  for (const SegmentAccess& access : segment.accesses) {
    count += is_shared_access(access) ? access.count : 0;
  }
  return count;
}

}  // namespace pnsim
