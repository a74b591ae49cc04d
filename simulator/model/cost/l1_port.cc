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

// Cycles by which the last word of the widest shared load of this class comes later than the first,
// beyond the wavefronts of the words, which are counted at the port.
double wide_load_cycles(const Segment& segment, std::string_view access_class,
                        const DeviceFacts& facts) {
  constexpr double kWordBytes = 4, kMeasuredWords = 4;
  if (!facts.wide_loads) return 0;
  double words = 1;
  for (const SegmentAccess& access : segment.accesses) {
    if (access.access_class != access_class || access.count == 0) continue;
    words =
        std::max(words, std::min(static_cast<double>(access.bytes) / kWordBytes, kMeasuredWords));
  }
  const double of_word =
      (facts.wide_loads->shared_load_16_bytes_latency_cycles - facts.shared_latency_cycles) /
      (kMeasuredWords - 1);
  return (words - 1) * std::max(of_word - facts.shared_load_cycles, 0.0);
}

}  // namespace

std::int64_t tag_bank_count(const DeviceFacts& facts) {
  constexpr double kLines = 31;  // of the microbenchmark's load
  return std::llround(std::clamp(kLines / facts.l1_load_31_lines_cycles, 1.0, kWarpLanes));
}

double shared_access_cycles(const SegmentAccess& access, const Traffic& traffic,
                            const DeviceFacts& facts) {
  const double wavefronts =
      std::max(access.wavefronts, access.count) * (1 + traffic.uncounted.per_shared_wavefront);
  return wavefronts * (access.access_class == "shared_atomic" ? facts.shared_atomic_cycles
                                                              : facts.shared_load_cycles);
}

double l1_lookup_cycles(const SegmentAccess& access, const AccessPattern& pattern,
                        const TagBanks& banks, const Traffic& traffic, const DeviceFacts& facts,
                        const Heuristics& heuristics) {
  if (pattern.is_texture)
    return pattern.count *
           texture_fetch_cycles(access, traffic.l1.sectors_per_fetch, facts, heuristics);
  if (pattern.is_bulk) return pattern.count;  // the data pass beside the port
  const double data = std::max(access.tag_lookups * traffic.l1.cycles_per_tag, pattern.count) *
                      facts.l1_load_cycles;
  const bool conflicts = heuristics.on(Heuristic::kTagBankConflicts);
  const double all = std::max(data, pattern.count * banks.cycles(pattern, conflicts));
  if (!pattern.is_copy || !facts.copies) return all;
  return std::max(all, copies_port_cycles(access, traffic, facts));
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

double short_scoreboard_latency(const Segment& segment, const DeviceFacts& facts) {
  const double shared = facts.shared_latency_cycles;
  const struct {
    const char* name;
    LateResult result;
    double latency;
  } kResults[] = {{"special", LateResult::kSpecial, facts.special_latency_cycles},
                  {"special_register", LateResult::kSpecial, shared},  // passes the same port
                  {"shuffle", LateResult::kShuffle, facts.shuffle_latency_cycles},
                  // Measured together with the shift that turns the loaded value into an address.
                  {"constant_load", LateResult::kConstant,
                   facts.constant_latency_cycles - facts.int_logic_latency_cycles},
                  {"shared_load", LateResult::kShared,
                   shared + wide_load_cycles(segment, "shared_load", facts)},
                  {"shared_atomic", LateResult::kShared, shared},
                  {"matrix_load", LateResult::kShared,
                   shared + wide_load_cycles(segment, "matrix_load", facts)}};
  double latency = 0;
  for (const auto& row : kResults) {
    if (count_of(segment, row.name) == 0) continue;
    const auto begin = segment.last_producer_slots.find(row.result);
    const auto slots = begin == segment.last_producer_slots.end() ? 0 : begin->second;
    // The last access starts when the unit has accepted those before it.
    const double taken = (count_of(segment, row.name) - 1) * unit_cycles(row.name, facts);
    latency = std::max(latency, row.latency + std::max(static_cast<double>(slots), taken));
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
