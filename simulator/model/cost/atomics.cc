#include "simulator/model/cost/atomics.h"

#include <algorithm>

#include "simulator/model/launch/memory_units.h"

namespace pnsim {
namespace {

// Share of all operations in one slice: from half on they are in one line, and may be in one word.
constexpr double kShareOfOneLine = 0.5;

// Half of the operations or more are in one slice, or the profile has no counts.
bool may_be_in_one_word(const MemoryInputs& in) {
  const AtomicTraffic& atomics = in.traffic.atomics;
  return atomics.busiest_slice <= 0 ||
         atomics.busiest_slice >= kShareOfOneLine * atomics.operations;
}

double cycles(double ns, const MemoryInputs& in) { return ns * in.rates.cycles_per_ns; }

// For operations whose sector is in DRAM: it is read and, later, written back. Random sectors, or
// whole lines.
double missed_atomic_cycles(const AccessView& view, const MemoryInputs& in) {
  const bool is_random = view.access.tag_lookups <= 0 || view.pattern.single_sectors;
  const double each = is_random ? cycles(in.facts.atomics->global_atomic_dram_ns, in) / kWarpLanes *
                                      in.rates.busy_sms
                                : in.rates.shared_cycles(in.rates.peak.dram_copy, 2 * kSectorBytes);
  return view.access.sectors * in.traffic.atomics.operations * in.traffic.atomics.misses * each;
}

// True if each lane of a sector accesses a different word, as in the microbenchmark of whole lines.
// The counters, where present, must show one operation per sector.
bool is_full_sector(const SegmentAccess& access, double lanes, const MemoryInputs& in) {
  constexpr double kLanes = 8, kTolerance = 0.5, kOneOperation = 1.5;
  return access.bytes == 4 && lanes > kLanes - kTolerance && lanes < kLanes + kTolerance &&
         in.traffic.atomics.operations < kOneOperation &&
         in.heuristics.on(Heuristic::kFullSectorAtomics);
}

// For one operation in its slice. In a single word, sums of floating-point numbers take 2.3 times
// as long as those of integers, in 16 words of a line 1.3 times, in 256 words as long (measured).
// Words in different lines were not measured.
double one_operation_cycles(const SegmentAccess& access, bool is_full, const MemoryInputs& in) {
  const double operations = in.traffic.atomics.operations;
  const bool waits_as_float = access.is_float && may_be_in_one_word(in) &&
                              !(is_full && operations > 0) &&
                              in.heuristics.on(Heuristic::kFloatAtomicsInOneWord);
  return waits_as_float ? cycles(in.facts.atomics->global_atomic_float_ns, in)
         : is_full      ? cycles(in.facts.atomics->global_atomic_line_ns, in) / kSectorsPerLine
                        : cycles(in.facts.atomics->global_atomic_lane_ns, in);
}

}  // namespace

// L2 executes the operations of lanes on one sector together, but those on the same word one after
// the other. Without counters their number is estimated.
double atomic_cycles(const AccessView& view, const MemoryInputs& in) {
  const SegmentAccess& access = view.access;
  const double busiest = in.traffic.atomics.busiest_slice;
  const double sectors = std::max(access.sectors, access.count);
  const double lanes = access.lanes * access.count / sectors;
  const bool is_full = is_full_sector(access, lanes, in);
  const double one = one_operation_cycles(access, is_full, in);
  if (busiest > 0) {
    return std::max(access.sectors * busiest * one * in.rates.busy_sms,
                    missed_atomic_cycles(view, in));
  }
  const double most = cycles(in.facts.atomics->global_atomic_sector_ns, in) /
                      cycles(in.facts.atomics->global_atomic_lane_ns, in);
  return sectors * one * (is_full ? 1 : std::clamp(lanes, 1.0, most)) / in.facts.l2_slices *
         in.rates.busy_sms;
}

double atomic_latency_cycles(const DeviceFacts& facts) {
  return std::max(facts.atomics->global_atomic_alone_ns * facts.cycles_per_ns() -
                      facts.atomics->global_load_alone_ns * facts.cycles_per_ns(),
                  0.0);
}

}  // namespace pnsim
