// Of segment_cost.h: what accesses cost at L2 and DRAM.
#include <algorithm>

#include "simulator/model/segment_cost.h"

namespace pnsim {
namespace {

constexpr double kSectorBytes = 32;
constexpr double kLinesOfFloat4 = 4;  // 16 bytes a lane

}  // namespace

// Cycles of this SM's share of something that the whole GPU does at `rate` a second.
double CostModel::shared_cycles(const char* rate, double each) const {
  return each * busy_sms_ * cycles_per_ns_ * 1e9 / device_.positive(rate);
}

// Cycles of this SM's own way to L2, at `rate` a second: it is no faster when other SMs are idle.
double CostModel::own_cycles(const char* rate, double each) const {
  return each * cycles_per_ns_ * 1e9 / device_.positive(rate);
}

// Bytes of DRAM count for more where reads and writes alternate.
double CostModel::mixed() const {
  const double copy = device_.positive("dram_copy_bandwidth");
  const double alone = 2 / (1 / device_.positive("dram_read_bandwidth") +
                            1 / device_.positive("dram_write_bandwidth"));
  return 1 + traffic_.dram_mix * std::max(alone / copy - 1, 0.0);
}

// What L2 does counts for less where loads and stores come together: they go opposite ways.
double CostModel::both_ways() const {
  const double together = 2 / device_.positive("l2_copy_bandwidth");
  const double alone =
      1 / device_.positive("l2_read_bandwidth") + 1 / device_.positive("l2_write_bandwidth");
  return 1 - traffic_.l2_mix * std::max(1 - together / alone, 0.0);
}

// Of the way to L2 and DRAM. Sectors pass at the rate of streams; look-ups that ask for one sector
// each, at the rate of those.
std::pair<double, double> CostModel::load_cycles(const SegmentAccess& access,
                                                 const LoadTraffic& row) const {
  const double missed = std::min(1 - row.l1_hits, 1.0);
  const double sectors = access.sectors * missed;
  const double requests = access.tags > 0 ? std::min(access.tags * missed, sectors) : sectors;
  const double l2 = std::max({shared_cycles("l2_read_bandwidth", sectors * kSectorBytes * both_ways()),
                              shared_cycles("random_l2_sector_rate", requests * both_ways()),
                              own_cycles("sm_l2_bandwidth", sectors * kSectorBytes),
                              own_cycles("sm_random_l2_sector_rate", requests)});
  const double misses = row.l2_misses * traffic_.still_missed, missing = sectors * misses;
  const double dram = std::max(
      shared_cycles("dram_read_bandwidth", missing * (1 + row.idle) * kSectorBytes * mixed()),
      shared_cycles("random_dram_sector_rate",
                    std::min(row.idle, 1.0) * requests * misses));
  return {l2, dram};
}

// Stores pass line by line, of each what is written of it.
std::pair<double, double> CostModel::store_cycles(const SegmentAccess& access) const {
  const double sectors = access.sectors * traffic_.l2_writes;
  const double lines = access.tags > 0 ? std::min(access.tags, sectors) : sectors;
  const double l2 = std::max({shared_cycles("l2_write_bandwidth", sectors * kSectorBytes * both_ways()),
                              shared_cycles("partial_l2_store_rate", lines * both_ways()),
                              own_cycles("sm_l2_write_bandwidth", sectors * kSectorBytes),
                              own_cycles("sm_partial_l2_store_rate", lines)});
  const double written = traffic_.dram_writes / kSectorBytes;  // sectors for one that is stored
  const double dram =
      shared_cycles("dram_write_bandwidth", sectors * kSectorBytes * written * mixed());
  const double partial = std::min(partial_sectors(access), lines) * std::min(written, 1.0);
  return {std::max(l2, shared_cycles("partial_store_rate", partial)), dram};
}

// Sectors of which an access stores a part alone, which L2 has to let go one by one: at most those at the
// ends of rows of words, each half a sector on average.
double CostModel::partial_sectors(const SegmentAccess& access) const {
  const double full =
      access.lanes * static_cast<double>(access.bytes * access.count) / kSectorBytes;
  return std::max(2 * (access.sectors - full), 0.0);
}

// One sector after the other in the busiest slice of L2. What lanes add to one sector is done
// together, but for lanes that meet in a word: where the profiler did not count them, they are
// estimated.
double CostModel::atomic_cycles(const SegmentAccess& access) const {
  // In one word each operation waits for the one before, sums of floating-point numbers longer. Lanes or
  // warps meet where the busiest slice does several times what its share of the sectors would be, or
  // where that was not counted. Elsewhere they pass as turns of a sector whose words lanes share out.
  constexpr double kTimesItsShare = 4, kTurnsOfSector = 4;
  const bool meet = traffic_.busiest_slice <= 0 ||
                    traffic_.busiest_slice * device_.positive("l2_slices") > kTimesItsShare;
  const double one = meet ? cycles(access.is_float ? "global_atomic_float_ns" : "global_atomic_lane_ns")
                          : cycles("global_atomic_sector_ns") / kTurnsOfSector;
  const double sectors = std::max(access.sectors, static_cast<double>(access.count));
  if (traffic_.busiest_slice > 0) return access.sectors * traffic_.busiest_slice * one * busy_sms_;
  const double lanes = access.lanes * static_cast<double>(access.count) / sectors;
  const double most = cycles("global_atomic_sector_ns") / cycles("global_atomic_lane_ns");
  const bool is_full = lanes > 7.5 && lanes < 8.5;  // neighbours, each a word of its own
  return sectors * one * (is_full ? 1 : std::clamp(lanes, 1.0, most)) /
         device_.positive("l2_slices") * busy_sms_;
}

// The bandwidth microbenchmark with one block of 256 threads on each SM: every warp loads 16 bytes
// a thread, waits for them, adds them up, and so on; the time of such a turn beyond the latency of
// a lone load, over how busy the level was.
double CostModel::queue_cycles(const char* one_block, const char* most, double latency,
                               double bytes) const {
  constexpr double kTurnCycles = 30;  // 4 dependent additions, 2 for the address, the branch
  const double turn =
      bytes * 256 * device_.positive("sms") * cycles_per_ns_ * 1e9 / device_.positive(one_block);
  const double use = device_.positive(one_block) / device_.positive(most);
  return std::max(turn - latency - kTurnCycles, 0.0) / use;
}

double CostModel::l2_queue_cycles() const {
  return queue_cycles("l2_read_1_block_bandwidth", "l2_read_bandwidth",
                      device_.positive("l2_latency_cycles") + l2_lines_cycles(kLinesOfFloat4), 16);
}

// Between reads alone and as many writes as reads.
double CostModel::dram_queue_cycles() const {
  const double alone =
      device_.positive("dram_latency_cycles") + dram_lines_cycles(kLinesOfFloat4);
  const double reads =
      queue_cycles("dram_read_1_block_bandwidth", "dram_read_bandwidth", alone, 16);
  const double copies =
      queue_cycles("dram_copy_1_block_bandwidth", "dram_copy_bandwidth", alone, 32);
  return reads + traffic_.dram_mix * (copies - reads);
}

}  // namespace pnsim
