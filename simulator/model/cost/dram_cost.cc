#include "simulator/model/cost/dram_cost.h"

#include <algorithm>

#include "simulator/model/cost/l2_cost.h"
#include "simulator/model/launch/memory_units.h"

namespace pnsim {

// Streamed bytes take the measured streaming bandwidth, random sectors the measured random rate.
double dram_load_cycles(const AccessView& view, const MemoryInputs& in) {
  const auto& [access, pattern, load] = view;
  const MemoryRates& rates = in.rates;
  const double misses = load.l2_misses * in.traffic.dram.repeated_misses;
  const double requests = requested_lines(access, load) * in.traffic.l2.reads_reaching;
  const double fetched = fetched_sectors(view, in) * rates.dram_factor;
  return std::max(rates.shared_cycles(rates.peak.dram_read, fetched * kSectorBytes) +
                      rates.shared_cycles(rates.peak.dram_write,
                                          fetched * in.traffic.dram.evicted_bytes_per_sector),
                  rates.shared_cycles(in.facts.random_dram_sector_rate,
                                      std::min(load.idle, 1.0) * requests * misses));
}

double dram_store_cycles(const AccessView& view, const MemoryInputs& in) {
  const double written =  // sectors for a stored one
      (in.traffic.dram.bytes_per_written_sector + in.traffic.dram.evicted_bytes_per_sector) /
      kSectorBytes;
  return in.rates.shared_cycles(
      in.rates.peak.dram_write,
      stored_sectors(view, in).sectors * kSectorBytes * written * in.rates.dram_factor);
}

double dram_turnaround_factor(const PeakRates& peak, double dram_mix,
                              const Heuristics& heuristics) {
  if (!heuristics.on(Heuristic::kDramTurnarounds)) return 1;
  const double alone = 2 / (1 / peak.dram_read + 1 / peak.dram_write);
  return 1 + dram_mix * std::max(alone / peak.dram_copy - 1, 0.0);
}

}  // namespace pnsim
