// Of segment_cost.h: what accesses cost at L2 and DRAM.
#include <algorithm>

#include "simulator/model/cost/segment_cost.h"
#include "simulator/model/launch/executions.h"
#include "simulator/model/memory/gathered_tables.h"

namespace pnsim {
namespace {

constexpr double kSectorBytes = 32;
constexpr double kTimesItsShare = 4;  // of atomics' operations, in the busiest slice of L2
constexpr double kOfAll = 0.5;        // in it: they meet in one line, and may meet in one word

// A sector of each lane's own has one of its eight words.
bool stores_single_words(const SegmentAccess& access) {
  constexpr double kMostBytes = 6;  // of a sector: between one word and two
  return access.lanes * static_cast<double>(access.bytes * access.count) <
         kMostBytes * access.sectors;
}

}  // namespace

// Cycles of this SM's share of something that the whole GPU does at `rate` a second.
double CostModel::shared_cycles(double rate, double each) const {
  return each * busy_sms_ * cycles_per_ns_ * 1e9 / rate;
}

// Cycles of this SM's own way to L2, at `rate` a second: it is no faster when other SMs are idle.
double CostModel::own_cycles(const char* rate, double each) const {
  return each * cycles_per_ns_ * 1e9 / device_.positive(rate);
}

// Short blocks that follow one another get more out of DRAM, and copies out of L2, than those that
// go on and on, whose warps drift apart over the data.
double CostModel::peak(const std::string& kind) const {
  return device_.positive((kind + (blocks_follow_ ? "_bandwidth" : "_8_blocks_bandwidth")).c_str());
}

// Bytes of DRAM count for more where reads and writes alternate.
double CostModel::mixed() const {
  const double alone = 2 / (1 / peak("dram_read") + 1 / peak("dram_write"));
  return 1 + traffic_.dram_mix * std::max(alone / peak("dram_copy") - 1, 0.0);
}

// What L2 does counts for less where loads and stores come together: sectors of loads leave L2,
// stores and what loads ask with enter it, and the busier way takes its time. What the request of a
// line holds the way in is what a copy takes longer than its stores. It counts for more where
// slices look up lines for others besides.
double CostModel::both_ways_of(const Launch& launch) const {
  constexpr double kLineBytes = 128;
  const double request =
      std::max(2 * kLineBytes / peak("l2_copy") - kLineBytes / peak("l2_write"), 0.0);
  const std::vector<double> executions = executions_of(launch);
  double loads = 0, stores = 0, requests = 0, lookups = 0, of_atomics = 0;
  for (std::size_t s = 0; s < segments_.size(); ++s) {
    for (std::size_t a = 0; a < segments_[s].accesses.size(); ++a) {
      const SegmentAccess& access = segments_[s].accesses[a];
      const LoadTraffic& row = traffic_.rows[s][a];
      const OpcodeClass& cls = *find_opcode_class(access.access_class);
      if (cls.paper == InstructionClass::kShared) continue;
      if (is_global_atomic(cls)) {
        const double spread = are_spread() ? spread_atomic_cycles(access) : 0;
        of_atomics += executions[s] * std::max(spread, lookup_cycles(access, row));
        continue;
      }
      lookups += executions[s] * lookup_cycles(access, row);
      if (cls.result == LateResult::kNone) {
        stores += executions[s] * store_cycles(access).first;
      } else {
        loads += executions[s] * load_cycles(access, row).first;
        requests += executions[s] * requests_of(access, row);
      }
    }
  }
  if (loads + stores <= 0) return 1;
  const double in = stores + shared_cycles(1, requests * request);
  const double both = std::min(std::max(loads, in), loads + stores);
  return std::max(both, lookups + of_atomics) / (loads + stores);
}

// Of the slices of L2, each of which looks up one line at a time. What a miss fetches is looked up
// once more, on its way from the slice that DRAM is behind: a pair of sectors at least, all of a
// line that are asked for together. Stores and atomics go on to the slice of the other partition,
// if the line is there: stores as measured.
double CostModel::lookup_cycles(const SegmentAccess& access, const LoadTraffic& row) const {
  constexpr double kPair = 2;  // sectors
  const OpcodeClass& cls = *find_opcode_class(access.access_class);
  const double rate = random_l2_rate(device_, row.table_bytes);
  if (is_global_atomic(cls)) {
    const auto partitions = static_cast<double>(device_.count("l2_partitions"));
    const double others = (partitions - 1) / partitions;
    return shared_cycles(rate, access.sectors * traffic_.atomic_operations * (1 + others));
  }
  if (cls.result == LateResult::kNone) {
    return shared_cycles(device_.positive("full_l2_store_rate"), lines_stored(access));
  }
  const double requests = requests_of(access, row),
               misses = std::min(row.l2_misses * traffic_.still_missed, 1.0);
  const double fetched = access.sectors * std::min(1 - row.l1_hits, 1.0) * misses * (1 + row.idle);
  return shared_cycles(rate, requests + std::min(requests * misses, fetched / kPair));
}

// Lines that a load asks L2 for.
double CostModel::requests_of(const SegmentAccess& access, const LoadTraffic& row) const {
  const double missed = std::min(1 - row.l1_hits, 1.0);
  const double sectors = access.sectors * missed;
  return access.tags > 0 ? std::min(access.tags * missed, sectors) : sectors;
}

// Of the way to L2 and DRAM. Sectors pass at the rate of streams; look-ups that ask for one sector
// each, at the rate of those.
std::pair<double, double> CostModel::load_cycles(const SegmentAccess& access,
                                                 const LoadTraffic& row) const {
  const double sectors = access.sectors * std::min(1 - row.l1_hits, 1.0);
  const double requests = requests_of(access, row);
  const double l2 =
      std::max({shared_cycles(peak("l2_read"), sectors * kSectorBytes * both_ways_),
                shared_cycles(random_l2_rate(device_, row.table_bytes), requests * both_ways_),
                own_cycles("sm_l2_bandwidth", sectors * kSectorBytes),
                own_cycles("sm_random_l2_sector_rate", requests)});
  const double misses = row.l2_misses * traffic_.still_missed, missing = sectors * misses;
  const double dram =
      std::max(shared_cycles(peak("dram_read"), missing * (1 + row.idle) * kSectorBytes * mixed()),
               shared_cycles(device_.positive("random_dram_sector_rate"),
                             std::min(row.idle, 1.0) * requests * misses));
  return {l2, dram};
}

// Stores enter L2 line by line: a line's request takes its time, and each sector of it. Sectors
// that are written in part need to say which bytes. Measured of lines of four whole sectors, of
// one, and of one word.
double CostModel::store_ns(double sectors, double lines, double in_part, const StoreRates& rates) {
  constexpr double kSectorsOfLine = 4;
  const double line = kSectorsOfLine / rates.whole_lines, one = 1 / rates.whole_sectors,
               part = std::max(1 / rates.part_sectors - one, 0.0);
  const double sector = std::clamp((line - one) / (kSectorsOfLine - 1), 0.0, line / kSectorsOfLine);
  return (sectors * sector + lines * (line - kSectorsOfLine * sector + in_part * part)) * 1e9;
}

// Those of an access's sectors that L2 sees: stores of threads' own memory are written through.
double CostModel::sectors_stored(const SegmentAccess& access) const {
  return access.sectors *
         (is_local_access(*find_opcode_class(access.access_class)) ? 1 : traffic_.l2_writes);
}

double CostModel::lines_stored(const SegmentAccess& access) const {
  const double sectors = sectors_stored(access);
  return access.tags > 0 && access.sectors > 0
             ? sectors * std::min(access.tags / access.sectors, 1.0)
             : sectors;
}

std::pair<double, double> CostModel::store_cycles(const SegmentAccess& access) const {
  const double sectors = sectors_stored(access), lines = lines_stored(access);
  const double reach_l2 = access.sectors > 0 ? sectors / access.sectors : 0;
  const double in_part =
      std::min(partial_sectors(access) * reach_l2 / std::max(sectors, 1e-9), 1.0);
  // Words that a warp stores a pitch apart: the next warp's lie beside them, in the same sectors.
  const bool are_columns = access.addresses == Addresses::kComputed && stores_single_words(access);
  const char* part_rate = are_columns ? "pitched_l2_store_rate" : "partial_l2_store_rate";
  const double of_gpu =
      store_ns(sectors, lines, in_part,
               {peak("l2_write") / kSectorBytes, device_.positive("full_l2_store_rate"),
                device_.positive(part_rate)});
  const double of_sm = store_ns(
      sectors, lines, in_part,
      {device_.positive("sm_l2_write_bandwidth") / kSectorBytes,
       device_.positive("sm_full_l2_store_rate"), device_.positive("sm_partial_l2_store_rate")});
  const double l2 = cycles_per_ns_ * std::max(of_gpu * both_ways_ * busy_sms_, of_sm);
  const double written = traffic_.dram_writes / kSectorBytes;  // sectors for one that is stored
  const double dram = shared_cycles(peak("dram_write"), sectors * kSectorBytes * written * mixed());
  const double partial =
      std::min(partial_sectors(access), lines) * std::min(written, 1.0) * traffic_.in_parts;
  return {std::max(l2, shared_cycles(device_.positive("partial_store_rate"), partial)), dram};
}

// Sectors of which an access stores a part alone, which L2 has to let go one by one: at most those
// at the ends of rows of words, each half a sector on average.
double CostModel::partial_sectors(const SegmentAccess& access) const {
  const double full =
      access.lanes * static_cast<double>(access.bytes * access.count) / kSectorBytes;
  return std::max(2 * (access.sectors - full), 0.0);
}

bool CostModel::are_spread() const {
  const double operations = traffic_.atomic_operations, busiest = traffic_.busiest_slice;
  return busiest > 0 &&
         busiest * device_.positive("l2_slices") <= kTimesItsShare * std::max(operations, 1.0);
}

bool CostModel::may_meet_in_a_word() const {
  const double operations = traffic_.atomic_operations, busiest = traffic_.busiest_slice;
  return busiest <= 0 || busiest >= kOfAll * operations;
}

// Of all slices of L2, which other accesses have not meanwhile. Whose result is waited for takes
// longer, and lanes that meet in words that neighbouring warps have in their line.
double CostModel::spread_atomic_cycles(const SegmentAccess& access) const {
  const bool returns = find_opcode_class(access.access_class)->result != LateResult::kNone;
  const double dropped = cycles("global_atomic_dropped_ns"),
               anywhere = returns ? cycles("global_atomic_returned_ns") : dropped,
               sorted = cycles(access.is_float ? "global_atomic_sorted_float_ns"
                                               : "global_atomic_sorted_ns");
  const double operations = traffic_.atomic_operations;
  const double all = operations > kTimesItsShare ? sorted * anywhere / dropped : anywhere;
  return access.sectors * operations * all / kWarpLanes * busy_sms_;
}

// Of those that find their sector in DRAM: it is read and, later, written back. Sectors here and
// there, or whole lines.
double CostModel::missed_atomic_cycles(const SegmentAccess& access) const {
  const double each = access.tags <= 0 || asks_for_single_sectors(access)
                          ? cycles("global_atomic_dram_ns") / kWarpLanes * busy_sms_
                          : shared_cycles(peak("dram_copy"), 2 * kSectorBytes);
  return access.sectors * traffic_.atomic_operations * traffic_.atomic_misses * each;
}

// One sector after the other in the busiest slice of L2. What lanes add to one sector is done
// together, but for lanes that meet in a word: where the profiler did not count them, they are
// estimated.
double CostModel::atomic_cycles(const SegmentAccess& access) const {
  // In few words each operation of a slice waits for the one before: where the busiest slice does
  // several times what its share of them would be, or nobody counted. In a single word sums of
  // floating-point numbers take 2.3 times as long as integers', in 16 words of a line 1.3 times, in
  // 256 words as long (measured); words that lie apart were not measured. Elsewhere a warp's lanes
  // meet in words that neighbouring warps have in their line (sorted keys), if there are several
  // operations for a sector; or lanes go anywhere, as in the microbenchmark.
  const double busiest = traffic_.busiest_slice;
  const double slices = device_.positive("l2_slices");
  const double sectors = std::max(access.sectors, static_cast<double>(access.count));
  const double lanes = access.lanes * static_cast<double>(access.count) / sectors;
  if (are_spread()) {
    // As fast as all slices are reached, and no faster than the busiest.
    const double busiest_cycles =
        access.sectors * busiest * cycles("global_atomic_lane_ns") * busy_sms_;
    return std::max({spread_atomic_cycles(access), busiest_cycles, missed_atomic_cycles(access)});
  }
  // Neighbours, each a word of its own, as in the microbenchmark: floating-point numbers take no
  // longer then, if it was counted that one operation is made of a sector's lanes.
  constexpr double kSectorsOfLine = 4, kOneOperation = 1.5;
  const double operations = traffic_.atomic_operations;
  const bool is_full =
      access.bytes == 4 && lanes > 7.5 && lanes < 8.5 && operations < kOneOperation;
  const bool waits_as_float =
      access.is_float && may_meet_in_a_word() && !(is_full && operations > 0);
  const double one = waits_as_float ? cycles("global_atomic_float_ns")
                     : is_full      ? cycles("global_atomic_line_ns") / kSectorsOfLine
                                    : cycles("global_atomic_lane_ns");
  if (busiest > 0) return access.sectors * busiest * one * busy_sms_;
  const double most = cycles("global_atomic_sector_ns") / cycles("global_atomic_lane_ns");
  return sectors * one * (is_full ? 1 : std::clamp(lanes, 1.0, most)) / slices * busy_sms_;
}

// The bandwidth microbenchmark with 1, 2 and 4 blocks of 256 threads on each SM: every warp loads
// 16 bytes a thread, waits for them, adds them up or stores them, and so on: how busy the level was
// then, and the time of such a turn beyond the latency of a lone load. Where the level is as good
// as full, a turn takes as long as it does: that is no latency.
CostModel::QueueCurve CostModel::queue_curve(const std::string& kind, double latency,
                                             double bytes) const {
  // The loop, 4 additions that wait for each other, 2 for the address.
  const double around =
      device_.positive("loop_turn_cycles") + 6 * device_.positive("fp32_latency_cycles");
  constexpr double kFull = 0.97;
  const double most = device_.positive((kind + "_8_blocks_bandwidth").c_str());
  QueueCurve curve{{{0.0, 0.0}}};
  for (const int blocks : {1, 2, 4}) {
    std::string fact = kind;
    fact.append("_").append(std::to_string(blocks)).append(blocks == 1 ? "_block" : "_blocks");
    fact.append("_bandwidth");
    const double rate = device_.positive(fact.c_str());
    const double turn =
        blocks * bytes * 256 * device_.positive("sms") * cycles_per_ns_ * 1e9 / rate;
    const double use = rate / most, cycles = turn - latency - around;
    if (use > kFull || use <= curve.points.back().first) break;
    curve.points.emplace_back(use, std::max(cycles, curve.points.back().second));
  }
  return curve;
}

// Between the points on straight lines; behind the last as at it.
double CostModel::queue_at(const QueueCurve& curve, double use) {
  const auto& points = curve.points;
  std::size_t p = 1;
  while (p < points.size() && points[p].first < use) ++p;
  if (p == points.size()) return points.back().second;
  const auto& [use0, cycles0] = points[p - 1];
  const auto& [use1, cycles1] = points[p];
  return cycles0 + (use - use0) / (use1 - use0) * (cycles1 - cycles0);
}

// Between reads alone and as many writes as reads.
double CostModel::l2_queue_cycles(double use) const {
  const double reads = queue_at(l2_reads_, use), copies = queue_at(l2_copies_, use);
  return reads + traffic_.l2_mix() * (copies - reads);
}

double CostModel::dram_queue_cycles(double use) const {
  const double reads = queue_at(dram_reads_, use), copies = queue_at(dram_copies_, use);
  return reads + traffic_.dram_mix * (copies - reads);
}

}  // namespace pnsim
