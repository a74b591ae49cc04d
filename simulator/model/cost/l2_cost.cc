#include "simulator/model/cost/l2_cost.h"

#include <algorithm>

#include "simulator/model/launch/executions.h"
#include "simulator/model/launch/memory_units.h"
#include "simulator/model/memory/gathered_tables.h"

namespace pnsim {
namespace {

// Sectors per second, measured with lines of four whole sectors, of one sector, and of one word.
struct StoreRates {
  double whole_lines, whole_sectors, partial_sectors;
};

// Stores enter L2 line by line: the request of a line takes time, and so does each of its sectors.
// Each partially written sector takes longer, since it comes with a byte mask. `partial` is the
// share of sectors that are not written completely.
double store_ns(double sectors, double lines, double partial, const StoreRates& rates) {
  const double line = kSectorsPerLine / rates.whole_lines, one = 1 / rates.whole_sectors,
               more = std::max(1 / rates.partial_sectors - one, 0.0);
  const double sector =
      std::clamp((line - one) / (kSectorsPerLine - 1), 0.0, line / kSectorsPerLine);
  return (sectors * (sector + partial * more) + lines * (line - kSectorsPerLine * sector)) * 1e9;
}

// Each slice of L2 looks up one line at a time. The sectors of a miss are looked up once more, in
// the slice of their DRAM channel: at least a pair of sectors, and all sectors of a line that are
// requested together. Atomics are forwarded to the slice of the other partition if the line belongs
// there. So are stores, but their measured rate includes it.
double lookup_cycles(const AccessView& view, const MemoryInputs& in) {
  const auto& [access, pattern, load] = view;
  const double rate = random_l2_rate(in.facts, load.table_bytes);
  if (pattern.is_atomic) {
    const double others = (in.facts.l2_partitions - 1) / in.facts.l2_partitions;
    return in.rates.shared_cycles(rate,
                                  access.sectors * in.traffic.atomics.operations * (1 + others));
  }
  if (pattern.is_store) {
    return in.rates.shared_cycles(in.facts.full_l2_store_rate, stored_sectors(view, in).lines);
  }
  const double reaching = in.traffic.l2.reads_reaching;
  const double requests = requested_lines(access, load) * reaching,
               misses = std::min(load.l2_misses * in.traffic.dram.repeated_misses, 1.0);
  const double fetched = sectors_at_l2(view, in.traffic.l2) * misses * (1 + load.idle);
  return in.rates.shared_cycles(rate,
                                requests + std::min(requests * misses, fetched / kSectorsPerPair));
}

// Cycles of all executions in the launch.
struct L2Work {
  double loads = 0, stores = 0;  // as if each came alone
  double requests = 0;           // lines that loads request
  double read_sectors = 0;       // that loads request
  double fetched_bytes = 0;      // from DRAM
  double lookups = 0;            // of lines, for misses and for atomics
};

L2Work l2_work(const CostInputs& in, const MemoryInputs& memory) {
  const std::vector<double> executions = executions_of(in.launch);
  L2Work sum;
  for (std::size_t s = 0; s < in.launch.segments.size(); ++s) {
    for (std::size_t a = 0; a < in.launch.segments[s].accesses.size(); ++a) {
      const AccessView view{in.launch.segments[s].accesses[a], in.patterns[s][a],
                            in.traffic.loads[s][a]};
      if (view.pattern.is_shared) continue;
      sum.lookups += executions[s] * lookup_cycles(view, memory);
      if (view.pattern.is_atomic) continue;
      if (view.pattern.is_store) {
        sum.stores += executions[s] * l2_store_cycles(view, memory);
      } else {
        sum.loads += executions[s] * l2_load_cycles(view, memory);
        sum.requests +=
            executions[s] * requested_lines(view.access, view.load) * in.traffic.l2.reads_reaching;
        sum.read_sectors += executions[s] * sectors_at_l2(view, in.traffic.l2);
        sum.fetched_bytes += executions[s] * fetched_sectors(view, memory) * kSectorBytes;
      }
    }
  }
  return sum;
}

// Bytes that loads fetch from the other partition of L2: the pair of sectors of each such miss.
// They take the way between the partitions that half of the stored sectors take.
double crossing_bytes(const CostInputs& in, const L2Work& work) {
  if (in.facts.l2_partitions < 2) return 0;
  return work.read_sectors * in.traffic.l2.crossing * kSectorsPerPair * kSectorBytes;
}

// Cycles in which bytes from DRAM are written into L2.
double fill_cycles(const CostInputs& in, const MemoryRates& rates, const L2Work& work) {
  if (!in.facts.fills || !in.heuristics.on(Heuristic::kFillsEnterL2)) return 0;
  return rates.shared_cycles(in.facts.fills->l2_fill_bandwidth, work.fetched_bytes);
}

}  // namespace

double sectors_at_l2(const AccessView& view, const L2Traffic& traffic) {
  return view.access.sectors * std::min(1 - view.load.l1_hits, 1.0) * traffic.reads_reaching;
}

double fetched_sectors(const AccessView& view, const MemoryInputs& in) {
  return sectors_at_l2(view, in.traffic.l2) * view.load.l2_misses *
         in.traffic.dram.repeated_misses * (1 + view.load.idle);
}

double requested_lines(const SegmentAccess& access, const LoadTraffic& load) {
  const double missed = std::min(1 - load.l1_hits, 1.0);
  const double sectors = access.sectors * missed;
  return access.tag_lookups > 0 ? std::min(access.tag_lookups * missed, sectors) : sectors;
}

StoredSectors stored_sectors(const AccessView& view, const MemoryInputs& in) {
  const SegmentAccess& access = view.access;
  StoredSectors out;
  out.sectors = access.sectors * in.traffic.l2.stores_reaching;
  out.lines = access.tag_lookups > 0 && access.sectors > 0
                  ? out.sectors * std::min(access.tag_lookups / access.sectors, 1.0)
                  : out.sectors;
  // A sector at the end of a row of words is half full on average.
  const double full =
      access.lanes * static_cast<double>(access.bytes) * access.count / kSectorBytes;
  if (in.heuristics.on(Heuristic::kPartialStores))
    out.partial = std::max(2 * (access.sectors - full), 0.0);
  return out;
}

// Streamed sectors take the streaming rate; look-ups of single sectors take the rate of single
// sectors.
double l2_load_cycles(const AccessView& view, const MemoryInputs& in) {
  const auto& [access, pattern, load] = view;
  const MemoryRates& rates = in.rates;
  const double sectors = access.sectors * std::min(1 - load.l1_hits, 1.0);
  const double requests = requested_lines(access, load);
  const double of_gpu = in.traffic.l2.reads_reaching * rates.l2_factor;
  const double own =
      pattern.is_bulk && rates.taken_in > 0
          ? sectors * in.traffic.taken_in * kSectorBytes * rates.l2_factor / rates.taken_in
          : rates.own_cycles(in.facts.sm_l2_bandwidth, sectors * kSectorBytes);
  return std::max(
      {rates.shared_cycles(rates.peak.l2_read, sectors * kSectorBytes * of_gpu),
       rates.shared_cycles(random_l2_rate(in.facts, load.table_bytes), requests * of_gpu), own,
       rates.own_cycles(in.facts.sm_random_l2_sector_rate, requests)});
}

namespace {

// The share of the sectors that reach L2 which are not written completely. L1 merges sectors by
// filling them; bulk copies write whole sectors.
double partial_share(const AccessView& view, const StoredSectors& stored) {
  if (view.pattern.is_bulk || stored.sectors <= 0) return 0;
  const double filled = view.access.sectors - stored.sectors;
  return std::clamp((stored.partial - 2 * filled) / stored.sectors, 0.0, 1.0);
}

// The cycles in which an SM sends the sectors of a store towards L2.
double sm_store_cycles(const AccessView& view, const MemoryInputs& in) {
  const DeviceFacts& facts = in.facts;
  const StoredSectors stored = stored_sectors(view, in);
  return in.rates.cycles_per_ns *
         store_ns(stored.sectors, stored.lines, partial_share(view, stored),
                  {facts.sm_l2_write_bandwidth / kSectorBytes, facts.sm_full_l2_store_rate,
                   facts.sm_partial_l2_store_rate});
}

// The share of a store in the time of the busiest slice of L2, whose requests pass one after the
// other. A request to a line that is stored over and over takes longer than others: with a sector
// as long as one with a word, with four sectors as one with a line, and evenly more in between.
// Requests of loads, and those that the partitions of L2 send each other, take as long (an
// estimate).
double hot_store_cycles(const StoredSectors& stored, const MemoryInputs& in) {
  const double requests = stored.sectors * in.traffic.l2.hot_requests_per_sector;
  if (requests <= 0 || !in.facts.hot_stores) return 0;
  const auto [word, line] = *in.facts.hot_stores;
  const double filled = (stored.sectors / stored.lines - 1) / (kSectorsPerLine - 1);
  const double ns = word + std::clamp(filled, 0.0, 1.0) * (line - word);
  return requests * ns * in.rates.cycles_per_ns * in.rates.busy_sms;
}

}  // namespace

double l2_store_cycles(const AccessView& view, const MemoryInputs& in) {
  const auto& [access, pattern, load] = view;
  const DeviceFacts& facts = in.facts;
  const MemoryRates& rates = in.rates;
  const StoredSectors stored = stored_sectors(view, in);
  const double partial = partial_share(view, stored);
  const bool are_columns = pattern.strided_words && in.heuristics.on(Heuristic::kColumnStores);
  const double of_gpu =
      store_ns(stored.sectors, stored.lines, partial,
               {rates.peak.l2_write / kSectorBytes, facts.full_l2_store_rate,
                are_columns ? facts.pitched_l2_store_rate : facts.partial_l2_store_rate});
  const double passing = std::max({rates.cycles_per_ns * of_gpu * rates.l2_factor * rates.busy_sms,
                                   sm_store_cycles(view, in), hot_store_cycles(stored, in)});
  // L2 writes back partially written sectors individually.
  const double written = in.traffic.dram.bytes_per_written_sector / kSectorBytes;
  const double evicted = std::min(stored.partial, stored.lines) * std::min(written, 1.0) *
                         in.traffic.dram.partial_evictions;
  return std::max(passing, rates.shared_cycles(facts.partial_store_rate, evicted));
}

// Sectors of loads leave L2; stores, the requests of loads and what DRAM delivers enter it. The
// busier direction sets the time. The request of a line occupies the input for the time that a copy
// takes beyond its stores.
BothDirections l2_both_directions(const CostInputs& in, const PeakRates& peak) {
  if (!in.heuristics.on(Heuristic::kL2BothDirections)) return {};
  MemoryRates rates;  // in which each direction takes its cycles alone
  rates.peak = peak;
  rates.busy_sms = in.residency.busy_sms;
  rates.cycles_per_ns = in.facts.cycles_per_ns();
  const double request =
      std::max(2 * kLineBytes / rates.peak.l2_copy - kLineBytes / rates.peak.l2_write, 0.0);
  const L2Work work = l2_work(in, {in.traffic, rates, in.facts, in.heuristics});
  const double alone = work.loads + work.stores;
  if (alone <= 0) return {};
  const double crossing = crossing_bytes(in, work) / peak.l2_write;
  const double entering = work.stores + rates.shared_cycles(1, work.requests * request + crossing);
  const double hits = std::max(std::min(std::max(work.loads, entering), alone), work.lookups);
  const double both = std::max(hits, std::min(entering, alone) + fill_cycles(in, rates, work));
  return {.factor = both / alone, .fills = (both - hits) / both};
}

}  // namespace pnsim
