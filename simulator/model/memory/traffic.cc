#include "simulator/model/memory/traffic.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "simulator/model/launch/counters.h"
#include "simulator/model/launch/executions.h"
#include "simulator/model/launch/memory_units.h"
#include "simulator/model/memory/counted_atomics.h"
#include "simulator/model/memory/footprint.h"
#include "simulator/model/memory/launch_sums.h"

namespace pnsim {

namespace {

// The footprint that a launch's own data may have to stay in L2 (`kept`), and the one from which a
// repeated launch finds none of them (`lost`), in bytes.
struct KeptBytes {
  double kept = 0, lost = 0;
};

KeptBytes kept_bytes(const Footprint& footprint, const DeviceFacts& facts) {
  // 0: nothing is stored, 1: half of the footprint, as in a copy.
  const double copies = std::min(2 * share_of(footprint.written, footprint.all()), 1.0);
  const auto between = [&](double of_reads, double of_copies) {
    return of_reads * (1 - copies) + of_copies * copies;
  };
  return {between(facts.l2_read_keeps_bytes, facts.l2_copy_keeps_bytes),
          between(facts.l2_read_loses_bytes, facts.l2_copy_loses_bytes)};
}

// The share of its own stored data that L2 has written back when the launch ends: what it cannot
// keep. Before that it evicts what earlier launches stored.
double written_back_share(const Launch& launch, const AccessPatterns& patterns,
                          const DeviceFacts& facts, const Heuristics& heuristics) {
  if (launch.start != CacheStart::kInPlace || !heuristics.on(Heuristic::kEarlierDataEvictedFirst))
    return 1;
  const Footprint footprint = footprint_of(launch, patterns, heuristics);
  const double kept = kept_bytes(footprint, facts).kept;
  return footprint.all() > kept ? 1 - kept / footprint.all() : 0;
}

}  // namespace

double repeated_misses(const Launch& launch, const AccessPatterns& patterns,
                       const DeviceFacts& facts, const Heuristics& heuristics) {
  if (launch.start == CacheStart::kInPlace || !heuristics.on(Heuristic::kL2KeepsWhatFits)) return 1;
  const Footprint footprint = footprint_of(launch, patterns, heuristics);
  const auto [kept, lost] = kept_bytes(footprint, facts);
  return lost > kept ? std::clamp((footprint.all() - kept) / (lost - kept), 0.0, 1.0) : 1;
}

Launch when_repeated(Launch launch, const DeviceFacts& facts, const Heuristics& heuristics) {
  const double missed = repeated_misses(launch, access_patterns(launch), facts, heuristics);
  const bool reads_all = launch.start == CacheStart::kCold;
  for (const char* bytes : {"dram_read_bytes", "dram_write_bytes"}) {
    const auto it = launch.counters.find(bytes);
    if (it == launch.counters.end() || (reads_all && bytes == std::string_view("dram_read_bytes")))
      continue;
    it->second = std::llround(missed * static_cast<double>(it->second));
  }
  return launch;
}

double L2Traffic::mix() const {
  const auto [less, more] = std::minmax(read_sectors, written_sectors);
  return less + more > 0 ? 2 * less / (less + more) : 0;
}

ConstantTraffic constant_traffic(const Launch& launch) {
  const double loads = sum_over(launch, [](const Segment& segment) {
    return count_of(segment, OpcodeClassId::kConstantLoad);
  });
  const double requests = counter_of(launch, kConstantRequests);
  if (loads <= 0 || requests <= loads) return {};
  return {requests / loads, std::min(counter_of(launch, kConstantMisses), requests) / loads};
}

L1Traffic l1_traffic(const Launch& launch, const TextureFetches& fetches) {
  L1Traffic out;
  out.load_hits =
      share_of(counter_of(launch, "l1_load_hit_sectors"), counter_of(launch, "l1_load_sectors"));
  const double tags = l1_tags(launch);
  // Lines take one or two wavefronts. What is beyond them is of special registers: of the half that
  // the counter of shared memory does not have (uncounted_wavefronts), one each.
  constexpr double kMostOfALine = 2;
  const double registers = sum_over(launch, [](const Segment& segment) {
    return count_of(segment, OpcodeClassId::kSpecialRegister);
  });
  double wavefronts = counter_of(launch, "l1_wavefronts") - counter_of(launch, "shared_wavefronts");
  wavefronts -= std::clamp(wavefronts - kMostOfALine * tags, 0.0, registers / 2);
  if (tags > 0 && wavefronts > 0) out.cycles_per_tag = wavefronts / tags;
  out.sectors_per_fetch = fetches.looked_up;
  return out;
}

// Wavefronts that the launch counts and the source page lacks are attributed in this order: to
// accesses without an active lane, one wavefront each; to reads of special registers, of which
// about half differ by lane (SR_TID, not SR_CTAID); to asynchronous copies, those through L1 first.
// The rest are bank conflicts.
UncountedWavefronts uncounted_wavefronts(const Launch& launch) {
  const auto all_of = [&](const char* name) {
    return sum_over(launch, [&](const Segment& segment) { return count_of(segment, name); });
  };
  const double shared = shared_wavefronts(launch);
  const double seen = all_of("shuffle") + shared;
  const double without_lanes = all_of("predicated_off"), registers = all_of("special_register");
  double left = std::max(counter_of(launch, "shared_wavefronts") - seen, 0.0);
  const auto take = [&](double of) {
    const double taken = std::min(left, of);
    left -= taken;
    return taken;
  };
  UncountedWavefronts out;
  const double copied = copied_wavefronts(launch, true);
  const double of_no_lanes = take(without_lanes), of_registers = take(registers / 2);
  // Products of warp groups read their operands from shared memory, and these wavefronts are
  // theirs.
  const bool groups_read =
      sum_over(launch, [](const Segment& segment) {
        return static_cast<double>(segment.tensor_products.count("wgmma_columns"));
      }) > 0;
  if (copied > 0) out.per_copied_wavefront = take(copied) / copied;
  const double bypassing = groups_read ? 0 : copied_wavefronts(launch, false);
  if (bypassing > 0) out.per_bypassing_wavefront = take(bypassing) / bypassing;
  if (without_lanes > 0) out.per_access_without_lanes = of_no_lanes / without_lanes;
  if (shared > 0 && !groups_read) out.per_shared_wavefront = left / shared;
  const double others = std::max(counter_of(launch, "l1_wavefronts") - of_registers, seen);
  if (registers > 0) out.beside_special_register = others / registers;
  return out;
}

namespace {

// Sectors of loads and texture fetches that miss L1, as counted.
double sectors_missing_l1(const Launch& launch, const TextureFetches& fetches) {
  return counter_of(launch, "l1_load_sectors") - counter_of(launch, "l1_load_hit_sectors") +
         fetches.sectors * (1 - fetches.l1_hits);
}

}  // namespace

L2Traffic l2_traffic(const Launch& launch, const TextureFetches& fetches,
                     const Heuristics& heuristics) {
  L2Traffic out;
  out.read_sectors = counter_of(launch, "l2_read_sectors");
  const double missing_l1 = sectors_missing_l1(launch, fetches);
  if (out.read_sectors > 0 && missing_l1 > 0 && heuristics.on(Heuristic::kMergedRequests))
    out.reads_reaching = std::min(out.read_sectors / missing_l1, 1.0);
  out.written_sectors = counter_of(launch, "l2_write_sectors");
  const double stores = counter_of(launch, "l1_store_sectors") + local_store_sectors(launch);
  if (stores > 0) out.stores_reaching = share_of(out.written_sectors, stores);
  const double read_bytes = counter_of(launch, "dram_read_bytes");
  out.fetched = out.read_sectors > 0 ? read_bytes / kSectorBytes / out.read_sectors : 0;
  out.misses = std::min(out.fetched, 1.0);
  if (heuristics.on(Heuristic::kPartitionCrossings)) {
    out.crossing = share_of(counter_of(launch, "l2_miss_sectors") - read_bytes / kSectorBytes,
                            out.read_sectors);
  }
  return out;
}

namespace {

// `left` is the part of a written sector beyond the words of its store: half of one at the end of a
// row. Earlier launches stored some of the written data: as much as L2 keeps.
double partial_evictions(const Launch& launch, double write_bytes, const DeviceFacts& facts) {
  const double bytes = plainly_stored_sectors(launch) * kSectorBytes;
  const double left = std::max(1 - share_of(plainly_stored_bytes(launch), bytes), 0.5);
  const double stored = plainly_stored_bytes(launch) + facts.l2_copy_keeps_bytes;
  return std::clamp((1 - stored / write_bytes) / left, 0.0, 1.0);
}

}  // namespace

DramTraffic dram_traffic(const Launch& launch, const AccessPatterns& patterns,
                         const DeviceFacts& facts, const Heuristics& heuristics) {
  DramTraffic out;
  const double missed = repeated_misses(launch, patterns, facts, heuristics);
  out.repeated_misses = launch.start == CacheStart::kCold ? 1 : missed;
  // Data that earlier launches had stored are written back too, but not when the launch is
  // repeated.
  const double writes = counter_of(launch, "l2_write_sectors");
  const double read_bytes = counter_of(launch, "dram_read_bytes");
  const double all_write_bytes = counter_of(launch, "dram_write_bytes");
  const double own_bytes = std::min(all_write_bytes, writes * kSectorBytes) *
                           written_back_share(launch, patterns, facts, heuristics);
  const double write_bytes = launch.start == CacheStart::kInPlace ? all_write_bytes : own_bytes;
  if (writes > 0) out.bytes_per_written_sector = missed * own_bytes / writes;
  const double allocated = writes + read_bytes / kSectorBytes;
  if (allocated > 0) out.evicted_bytes_per_sector = (write_bytes - own_bytes) / allocated;
  if (write_bytes > 0 && heuristics.on(Heuristic::kPartialSectorEvictions))
    out.partial_evictions = partial_evictions(launch, write_bytes, facts);
  out.mix = 2 * share_of(std::min(read_bytes, write_bytes), read_bytes + write_bytes);
  return out;
}

// Atomics have a server of their own for the busiest slice. The SMs' requests of code and constants
// count too, and in short launches they may be most of those of the busiest slice.
double hot_requests_per_sector(const Launch& launch, const DeviceFacts& facts,
                               const Heuristics& heuristics) {
  constexpr double kHot = 2;              // times the requests of the mean slice
  constexpr double kStoresDecide = 0.25;  // sectors written per request
  constexpr double kCodeRequests = 4;     // of each working SM in one slice (estimate)
  const double requests = counter_of(launch, kSliceRequests),
               busiest = counter_of(launch, kBusiestSliceRequests),
               written = counter_of(launch, "l2_write_sectors"),
               of_code = kCodeRequests * std::min(facts.sms, static_cast<double>(launch.grid));
  const bool is_hot = requests > 0 && busiest <= requests &&
                      (busiest - of_code) * facts.l2_slices >= kHot * requests;
  if (!heuristics.on(Heuristic::kBusiestSlice) || !is_hot || written < kStoresDecide * requests ||
      atomic_sectors(launch) > 0)
    return 0;
  return busiest / written;
}

AtomicTraffic atomic_traffic(const Launch& launch, const DramTraffic& dram,
                             const DeviceFacts& facts, const Heuristics& heuristics) {
  AtomicTraffic out;
  const CountedAtomics atomics = counted_atomics(launch, facts, heuristics);
  const double sectors = atomic_sectors(launch);
  if (sectors <= 0) return out;
  out.operations = atomics.operations / sectors;
  out.busiest_slice = atomics.busiest / sectors;
  if (!heuristics.on(Heuristic::kAtomicMisses)) return out;
  // Atomics cause the misses that loads cannot cause, and the DRAM reads (pairs of sectors) beyond
  // those of loads.
  const double reads = counter_of(launch, "l2_read_sectors");
  const double misses = counter_of(launch, "l2_miss_sectors") - reads;
  const double more =
      counter_of(launch, "dram_read_bytes") / kSectorBytes - kSectorsPerPair * reads;
  out.misses = share_of(std::min(misses, more), atomics.operations) * dram.repeated_misses;
  return out;
}

namespace {

CountedMisses counted_misses(const Launch& launch, const L1Traffic& l1, const L2Traffic& l2,
                             const TextureFetches& fetches, const DeviceFacts& facts) {
  CountedMisses out;
  out.l1_hits = l1.load_hits;
  out.texture_hits = fetches.l1_hits;
  out.fetched = l2.fetched;
  const double read = counter_of(launch, "dram_read_bytes");
  if (launch.start == CacheStart::kInPlace && launch.counters.contains(kRepeatedReadBytes))
    out.driven_out = 1 - share_of(std::min(counter_of(launch, kRepeatedReadBytes), read), read);
  out.atomics =
      share_of(read / kSectorBytes, l2.read_sectors + counter_of(launch, "l2_atomic_sectors"));
  out.sms = std::min(static_cast<double>(launch.grid), facts.sms);
  const auto shared = static_cast<double>(launch.shared_bytes * launch.resident_blocks);
  out.l1_bytes = std::max(facts.shared_bytes_per_sm - shared, 0.0);
  return out;
}

}  // namespace

bool counts_taken_in(const Launch& launch) {
  const double taken = counter_of(launch, kTakenInBytes) / kSectorBytes;
  return taken > 0 && 2 * taken >= counter_of(launch, "l2_read_sectors");
}

double taken_in_by_copies(const Launch& launch) {
  constexpr double kMostBlocks = 16;  // of a cluster
  const std::vector<double> executions = executions_of(launch);
  double requested = 0;  // sectors
  for (std::size_t s = 0; s < launch.segments.size(); ++s) {
    for (const SegmentAccess& access : launch.segments[s].accesses) {
      if (class_of(access).id == OpcodeClassId::kBulkCopy)
        requested += executions[s] * access.sectors;
    }
  }
  if (requested <= 0 || !counts_taken_in(launch)) return 1;
  const double more =
      counter_of(launch, kTakenInBytes) / kSectorBytes - counter_of(launch, "l2_read_sectors");
  return std::clamp(1 + more / requested, 1.0, kMostBlocks);
}

Traffic traffic_of(const Launch& launch, const AccessPatterns& patterns, const DeviceFacts& facts,
                   const Heuristics& heuristics) {
  Traffic out;
  const TextureFetches fetches = texture_fetches(launch);
  out.constants = constant_traffic(launch);
  out.taken_in = taken_in_by_copies(launch);
  out.l1 = l1_traffic(launch, fetches);
  if (heuristics.on(Heuristic::kUncountedWavefronts)) out.uncounted = uncounted_wavefronts(launch);
  out.l2 = l2_traffic(launch, fetches, heuristics);
  out.l2.hot_requests_per_sector = hot_requests_per_sector(launch, facts, heuristics);
  out.dram = dram_traffic(launch, patterns, facts, heuristics);
  out.atomics = atomic_traffic(launch, out.dram, facts, heuristics);
  out.loads = deal_misses(launch, patterns, counted_misses(launch, out.l1, out.l2, fetches, facts),
                          heuristics);
  return out;
}

}  // namespace pnsim
