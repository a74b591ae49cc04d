#include "simulator/model/memory/traffic.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "simulator/model/launch/executions.h"
#include "simulator/model/memory/counted_atomics.h"
#include "simulator/model/memory/footprint.h"
#include "simulator/model/memory/texture_fetches.h"

namespace pnsim {
namespace {

constexpr double kBytesOfSector = 32;

double share(double part, double whole) {
  return whole > 0 ? std::clamp(part / whole, 0.0, 1.0) : 0;
}

// Sums are not: L2 makes them where the words are.
bool stores_plainly(const SegmentAccess& access) {
  const OpcodeClass& cls = *find_opcode_class(access.access_class);
  return cls.paper == InstructionClass::kGlobal && cls.result == LateResult::kNone &&
         !is_global_atomic(cls);
}

double plainly_stored_bytes(const Segment& segment) {
  double bytes = 0;
  for (const SegmentAccess& access : segment.accesses) {
    if (stores_plainly(access))
      bytes += static_cast<double>(access.count * access.bytes) * access.lanes;
  }
  return bytes;
}

double plainly_stored_sectors(const Segment& segment) {
  double sectors = 0;
  for (const SegmentAccess& access : segment.accesses)
    sectors += stores_plainly(access) ? access.sectors : 0;
  return sectors;
}

double stored_bytes(const Segment& segment) {
  double bytes = 0;
  for (const SegmentAccess& access : segment.accesses) {
    const OpcodeClass& cls = *find_opcode_class(access.access_class);
    if (cls.paper != InstructionClass::kGlobal || cls.result != LateResult::kNone) continue;
    bytes += static_cast<double>(access.count * access.bytes) * access.lanes;
  }
  return bytes;
}

// Written through, each of them.
double local_store_sectors(const Segment& segment) {
  double sectors = 0;
  for (const SegmentAccess& access : segment.accesses) {
    sectors += access.access_class == "local_store" ? access.sectors : 0;
  }
  return sectors;
}

// Look-ups in L1.
double all_tags(const Segment& segment) {
  double tags = 0;
  for (const SegmentAccess& access : segment.accesses) tags += access.tags;
  return tags;
}

double sum_of(const std::vector<ProgramItem>& program, const std::vector<double>& segments) {
  double sum = 0;
  for (const ProgramItem& item : program) {
    sum += static_cast<double>(item.repeat) *
           (item.segment ? segments[*item.segment] : sum_of(item.body, segments));
  }
  return sum;
}

// Over all warps of the launch.
template <class OfSegment>
double sum_over(const Launch& launch, OfSegment&& of_segment) {
  std::vector<double> segments;
  for (const Segment& segment : launch.segments) segments.push_back(of_segment(segment));
  double sum = 0;
  for (const WarpKind& kind : launch.warp_kinds) {
    sum += static_cast<double>(kind.warps) * sum_of(kind.program, segments);
  }
  return sum;
}

bool has(const Launch& launch, bool stores) {
  return std::any_of(launch.segments.begin(), launch.segments.end(), [&](const Segment& segment) {
    return std::any_of(segment.accesses.begin(), segment.accesses.end(),
                       [&](const SegmentAccess& access) {
                         const OpcodeClass& cls = *find_opcode_class(access.access_class);
                         return cls.paper == InstructionClass::kGlobal &&
                                (cls.result == LateResult::kNone) == stores;
                       });
  });
}

double atomic_sectors(const Segment& segment) {
  double sum = 0;
  for (const SegmentAccess& access : segment.accesses)
    sum += is_global_atomic(*find_opcode_class(access.access_class)) ? access.sectors : 0;
  return sum;
}

}  // namespace

double stored_bytes(const Launch& launch) {
  return sum_over(launch, [](const Segment& segment) { return stored_bytes(segment); });
}

bool makes_loads(const Launch& launch) { return has(launch, false); }
bool makes_stores(const Launch& launch) { return has(launch, true); }

namespace {

// Of what the profiler saw go to DRAM, how much still does when the launch is repeated.
double share_still_missed(const Launch& launch, const DeviceProfile& device) {
  const Footprint footprint = footprint_of(launch);
  // 0: nothing is stored, 1: half of it all, as in a copy.
  const double copies = std::min(2 * share(footprint.written, footprint.all()), 1.0);
  const auto between = [&](const char* of_reads, const char* of_copies) {
    return device.positive(of_reads) * (1 - copies) + device.positive(of_copies) * copies;
  };
  const double kept = between("l2_read_keeps_bytes", "l2_copy_keeps_bytes");
  const double lost = between("l2_read_loses_bytes", "l2_copy_loses_bytes");
  return lost > kept ? std::clamp((footprint.all() - kept) / (lost - kept), 0.0, 1.0) : 1;
}

}  // namespace

Launch when_repeated(Launch launch, const DeviceProfile& device) {
  const double missed = share_still_missed(launch, device);
  const bool reads_all = launch.start == CacheStart::kCold;
  for (const char* bytes : {"dram_read_bytes", "dram_write_bytes"}) {
    const auto it = launch.counters.find(bytes);
    if (it == launch.counters.end() || (reads_all && bytes == std::string_view("dram_read_bytes")))
      continue;
    it->second = std::llround(missed * static_cast<double>(it->second));
  }
  return launch;
}

double Traffic::l2_mix() const {
  const auto [less, more] = std::minmax(l2_read_sectors, l2_write_sectors);
  return less + more > 0 ? 2 * less / (less + more) : 0;
}

namespace {

// At least one for each shared access, whether the page says so or not.
double shared_wavefronts(const Segment& segment) {
  double sum = 0;
  for (const SegmentAccess& access : segment.accesses) {
    const auto count = static_cast<double>(access.count);
    sum += is_shared_access(access) ? std::max(access.wavefronts, count) : 0;
  }
  return sum;
}

// What was counted besides is first of accesses without a lane, one each, then of special
// registers, of which about half are the lanes' own (SR_TID beside SR_CTAID), and then of accesses
// that collide.
void set_unseen(const Launch& launch, Traffic& out) {
  const auto all_of = [&](const char* name) {
    return sum_over(launch, [&](const Segment& segment) { return count_of(segment, name); });
  };
  const double seen = all_of("shuffle") + sum_over(launch, shared_wavefronts);
  const double off = all_of("predicated_off"), registers = all_of("special_register");
  const double lanes = registers / 2, shared = sum_over(launch, shared_wavefronts);
  double unseen = std::max(counter_of(launch, "shared_wavefronts") - seen, 0.0);
  const auto take = [&](double of) {
    const double taken = std::min(unseen, of);
    unseen -= taken;
    return taken;
  };
  const double of_off = take(off), of_lanes = take(lanes);
  if (off > 0) out.off_wavefronts = of_off / off;
  if (shared > 0) out.collisions = unseen / shared;
  const double others = std::max(counter_of(launch, "l1_wavefronts") - of_lanes, seen);
  if (registers > 0) out.beside_registers = others / registers;
}

}  // namespace

Traffic traffic_of(const Launch& launch, const DeviceProfile& device) {
  Traffic out;
  const double loads = counter_of(launch, "l1_load_sectors"),
               stores = counter_of(launch, "l1_store_sectors");
  const double reads = counter_of(launch, "l2_read_sectors"),
               writes = counter_of(launch, "l2_write_sectors");
  out.l1_hits = share(counter_of(launch, "l1_load_hit_sectors"), loads);
  if (stores > 0) out.l2_writes = share(writes - sum_over(launch, local_store_sectors), stores);
  const double read_bytes = counter_of(launch, "dram_read_bytes");
  double fetched = reads > 0 ? read_bytes / kBytesOfSector / reads : 0;
  out.l2_misses = std::min(fetched, 1.0);
  if (launch.counters.contains("l2_miss_sectors")) {
    // Not counted where a sector is on its way already.
    const double misses = share(counter_of(launch, "l2_miss_sectors"), reads);
    if (misses < out.l2_misses) fetched *= misses / out.l2_misses;
    out.l2_misses = std::min(misses, out.l2_misses);
  }
  const double missed = share_still_missed(launch, device);
  out.still_missed = launch.start == CacheStart::kCold ? 1 : missed;
  // What others had stored is let go as well, and not when the launch is repeated.
  const double write_bytes =
      std::min<double>(counter_of(launch, "dram_write_bytes"), writes * kBytesOfSector);
  if (writes > 0) out.dram_writes = missed * write_bytes / writes;
  if (write_bytes > 0) {
    // Of a sector, besides the words that a store has there; half of one at the end of a row.
    const double bytes = sum_over(launch, plainly_stored_sectors) * kBytesOfSector;
    const double left = std::max(1 - share(sum_over(launch, plainly_stored_bytes), bytes), 0.5);
    // Some of what was written others had stored before: as much as L2 keeps of it.
    const double stored =
        sum_over(launch, plainly_stored_bytes) + device.positive("l2_copy_keeps_bytes");
    out.in_parts = std::clamp((1 - stored / write_bytes) / left, 0.0, 1.0);
  }
  out.l2_read_sectors = reads;
  out.l2_write_sectors = writes;
  out.dram_mix = 2 * share(std::min(read_bytes, write_bytes), read_bytes + write_bytes);
  const double tags = sum_over(launch, all_tags);
  const double wavefronts =
      counter_of(launch, "l1_wavefronts") - counter_of(launch, "shared_wavefronts");
  if (tags > 0 && wavefronts > 0) out.tag_cycles = wavefronts / tags;
  set_unseen(launch, out);
  const TextureFetches fetches = texture_fetches(launch);
  out.sectors_of_fetch = fetches.looked_up;
  const double asked = reads + counter_of(launch, "l2_atomic_sectors");
  const double sms = std::min(static_cast<double>(launch.grid), device.positive("sms"));
  const auto shared = static_cast<double>(launch.shared_bytes * launch.resident_blocks);
  const double l1_bytes = std::max(device.positive("shared_bytes_per_sm") - shared, 0.0);
  out.rows = deal_misses(launch, {out.l1_hits, fetches.l1_hits, fetched,
                                  share(read_bytes / kBytesOfSector, asked), sms, l1_bytes});
  const CountedAtomics atomics = counted_atomics(launch, device);
  const double sectors = sum_over(launch, atomic_sectors);
  if (sectors > 0) {
    out.atomic_operations = atomics.operations / sectors;
    out.busiest_slice = atomics.busiest / sectors;
    // Beyond what loads can miss, and what DRAM reads for them: pairs of sectors.
    constexpr double kPair = 2;
    const double misses = counter_of(launch, "l2_miss_sectors") - reads;
    const double more = read_bytes / kBytesOfSector - kPair * reads;
    out.atomic_misses = share(std::min(misses, more), atomics.operations) * out.still_missed;
  }
  return out;
}

}  // namespace pnsim
