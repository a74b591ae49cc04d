// Of segment_cost.h: what accesses cost at L2 and DRAM.
#include <algorithm>

#include "simulator/model/segment_cost.h"

namespace pnsim {
namespace {

constexpr double kSectorBytes = 32;
// What the wires between an SM and L2 carry: one sector of 32 bytes in half a cycle (64 bytes a
// cycle and SM, CUDA C++ Best Practices Guide on devices of compute capability 7.0 and later).
constexpr double kMinCyclesPerSector = 0.5;

}  // namespace

// Cycles of this SM's share of something that the whole GPU does at `rate` a second.
double CostModel::shared_cycles(const char* rate, double each) const {
  return each * busy_sms_ * cycles_per_ns_ * 1e9 / device_.positive(rate);
}

// Bytes of DRAM count for more where reads and writes alternate.
double CostModel::mixed() const {
  const double copy = device_.positive("dram_copy_bandwidth");
  const double alone = 2 / (1 / device_.positive("dram_read_bandwidth") +
                            1 / device_.positive("dram_write_bandwidth"));
  return 1 + traffic_.dram_mix * std::max(alone / copy - 1, 0.0);
}

// Bytes of L2 count for less where loads and stores come together: they go opposite ways.
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
  const double l2 = std::max(shared_cycles("l2_read_bandwidth", sectors * kSectorBytes * both_ways()),
                             shared_cycles("random_l2_sector_rate", requests));
  // A miss fetches more than the sector that was asked for.
  const double fetched = traffic_.l2_misses > 0 ? traffic_.dram_reads / traffic_.l2_misses : 0;
  // Where it does not, neighbours ask for the rest of what is fetched, and it comes as a stream; pairs
  // of sectors are fetched, of which lone ones leave one idle: between 1 and 1.5, some do.
  const double alone = std::clamp(2 * (fetched / kSectorBytes - 1), 0.0, 1.0);
  const double dram =
      std::max(shared_cycles("dram_read_bandwidth", sectors * row.l2_misses * fetched * mixed()),
               shared_cycles("random_dram_sector_rate", alone * requests * row.l2_misses));
  return {std::max(l2, sectors * kMinCyclesPerSector), dram};
}

// Stores pass line by line, of each what is written of it.
std::pair<double, double> CostModel::store_cycles(const SegmentAccess& access) const {
  const double sectors = access.sectors * traffic_.l2_writes;
  const double full =
      access.lanes * static_cast<double>(access.bytes * access.count) / kSectorBytes;
  const bool is_full = full >= 0.99 * access.sectors;
  const double lines = access.tags > 0 ? std::min(access.tags, sectors) : sectors;
  double l2 = std::max(shared_cycles("l2_write_bandwidth", sectors * kSectorBytes * both_ways()),
                       shared_cycles("partial_l2_store_rate", lines));
  const double written = traffic_.dram_writes / kSectorBytes;  // sectors for one that is stored
  const double dram =
      shared_cycles("dram_write_bandwidth", sectors * kSectorBytes * written * mixed());
  // Parts of lines that L2 has to let go one by one.
  if (!is_full)
    l2 = std::max(l2, shared_cycles("partial_store_rate", lines * std::min(written, 1.0)));
  return {std::max(l2, sectors * kMinCyclesPerSector), dram};
}

// One sector after the other in the busiest slice of L2. What lanes add to one sector is done
// together, but for lanes that meet in a word: where the profiler did not count them, they are
// estimated.
double CostModel::atomic_cycles(const SegmentAccess& access) const {
  // A sum of floating-point numbers waits for the one before in the same word. Lanes or warps meet
  // where the busiest slice does several times what its share of the sectors would be, or where that
  // was not counted.
  constexpr double kTimesItsShare = 4;
  const bool one_by_one =
      access.is_float && (traffic_.busiest_slice <= 0 ||
                          traffic_.busiest_slice * device_.positive("l2_slices") > kTimesItsShare);
  const double one = cycles(one_by_one ? "global_atomic_float_ns" : "global_atomic_lane_ns");
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
double CostModel::queue_cycles(const char* one_block, const char* most, const char* latency,
                               double bytes) const {
  constexpr double kTurnCycles = 30;  // 4 dependent additions, 2 for the address, the branch
  const double turn =
      bytes * 256 * device_.positive("sms") * cycles_per_ns_ * 1e9 / device_.positive(one_block);
  const double use = device_.positive(one_block) / device_.positive(most);
  constexpr double kLinesOfLoad = 4;  // 16 bytes a lane
  const double alone = device_.positive(latency) + l2_lines_cycles(kLinesOfLoad) + kTurnCycles;
  return std::max(turn - alone, 0.0) / use;
}

double CostModel::l2_queue_cycles() const {
  return queue_cycles("l2_read_1_block_bandwidth", "l2_read_bandwidth", "l2_latency_cycles", 16);
}

// Between reads alone and as many writes as reads.
double CostModel::dram_queue_cycles() const {
  const double reads =
      queue_cycles("dram_read_1_block_bandwidth", "dram_read_bandwidth", "dram_latency_cycles", 16);
  const double copies =
      queue_cycles("dram_copy_1_block_bandwidth", "dram_copy_bandwidth", "dram_latency_cycles", 32);
  return reads + traffic_.dram_mix * (copies - reads);
}

}  // namespace pnsim
