// What a segment costs on a device: cycles of the units that its warp goes through.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/memory/tag_banks.h"
#include "simulator/model/memory/traffic.h"

namespace pnsim {

// Results a segment waits for before it begins; numbers as in models/nets/sm.json.
enum class Waits { kNothing = 0, kQuick = 1, kAll = 2 };

// In cycles of the SM, of one warp.
struct SegmentCost {
  double issue = 1;          // of its scheduler
  double slow = 0;           // of its units for special functions and constants
  double work = 1;           // from its first instruction to the next segment's
  double quick_port = 0;     // of the shared memory and L1 port: shared memory, shuffles
  double quick_latency = 0;  // of its slowest quick result; 0: none
  double port = 0;           // of the same port: L1 look-ups
  double l2 = 0, dram = 0;   // of the SM's share of L2, of DRAM
  double memory = 0;         // of the way there: the slower of both for each access
  double atomic = 0;         // of the SM's share of the slice of L2 with most atomic operations
  double latency = 0;        // of its slowest load; 0: none
  Waits waits = Waits::kNothing;
  bool joins = false;  // ends at a barrier
};

// What is over 2^60 stays so: it is more than any net takes.
inline std::int64_t rounded_cycles(double cycles) { return std::llround(std::min(cycles, 0x1p60)); }

// The device as the busiest SM sees it while it executes `launch`. What all SMs share, such as the
// bandwidth of DRAM, is dealt out to `busy_sms`, as many as are busy on average. One thread at a
// time.
class CostModel {
 public:
  CostModel(const DeviceProfile& device, const Launch& launch, double busy_sms);

  SegmentCost cost(std::size_t segment) const;           // [Launch::segments] of the launch
  SegmentCost one_lane_cost(std::size_t segment) const;  // of its accesses by a single lane
  // Of one that need not be of the launch: its loads hit as all of the launch do.
  SegmentCost cost(const Segment& segment) const;
  // Cycles that loads at L2 and at DRAM take longer because these are busy.
  void set_queues(double l2, double dram);

  // Of a segment of which only the paper's counts are known: each access one full line.
  SegmentCost cost(const InstructionCounts& counts) const;

  // Cycles that a load takes longer when L2, or DRAM, is so busy: 0 ... 1.
  double l2_queue_cycles(double use) const;
  double dram_queue_cycles(double use) const;
  // How often a segment of the launch waits for L2, and for DRAM: 0 ... 1. The warps of a block
  // load together, and who hits a line that is on its way waits for it too.
  double l2_share(std::size_t segment) const;
  double dram_share(std::size_t segment) const;

  double busy_sms() const { return busy_sms_; }
  std::int64_t dispatch_cycles() const;  // from a block's start to the next one's
  std::int64_t turnover_cycles() const;  // from a block's end to the start of the one in its place
  double branch_cycles() const;          // from a taken branch to what it leads to
  double meet_cycles() const;            // of lanes that went two ways, at the end of one of them
  std::int64_t barrier_cycles()
      const;  // from the last arrival at a barrier to the first warp's going on

 private:
  double cycles(const char* fact_ns) const { return device_.positive(fact_ns) * cycles_per_ns_; }
  double taken_branch_slots() const;
  double pipe_cycles(const Segment& segment, double branches) const;
  double access_slots(const Segment& segment) const;
  double unit_cycles(std::string_view name) const;  // of a class that has a unit of its own, else 0
  double slow_cycles(const Segment& segment) const;
  double stall_cycles(const Segment& segment) const;
  double fetch_cycles() const;
  double laneless_cycles(const Segment& segment, bool is_opening) const;
  double quick_latency(const Segment& segment) const;
  // Of a segment in its launch.
  struct Surroundings {
    std::span<const std::size_t> before{};  // segments whose loads are in flight when it begins
    bool finds_l1_empty = false, is_straight = false;  // is outside loops
    bool is_opening = false;  // comes no later than its program's first access
  };
  using SegmentLoads = std::vector<LoadTraffic>;  // [access of the segment]
  // `branches` are taken, those that turn loops included.
  SegmentCost cost(const Segment& segment, const SegmentLoads& rows, double branches,
                   const Surroundings& around) const;
  void add_access(const SegmentAccess& access, const LoadTraffic& traffic, SegmentCost& cost) const;
  // Of L2 and of DRAM.
  std::pair<double, double> load_cycles(const SegmentAccess& access, const LoadTraffic& row) const;
  std::pair<double, double> store_cycles(const SegmentAccess& access) const;
  double lookup_cycles(const SegmentAccess& access, const LoadTraffic& row) const;
  double sectors_stored(const SegmentAccess& access) const;
  double lines_stored(const SegmentAccess& access) const;
  double requests_of(const SegmentAccess& access, const LoadTraffic& row) const;
  struct StoreRates {
    double whole_lines, whole_sectors, part_sectors;  // sectors a second
  };
  // `in_part`: share of the sectors of which not every byte is written.
  static double store_ns(double sectors, double lines, double in_part, const StoreRates& rates);
  double partial_sectors(const SegmentAccess& access) const;
  double atomic_cycles(const SegmentAccess& access) const;
  double spread_atomic_cycles(const SegmentAccess& access) const;
  double missed_atomic_cycles(const SegmentAccess& access) const;
  bool are_spread() const;  // the launch's atomics, over the slices of L2
  // The launch's atomics: half of them or more are in one slice, or nobody counted.
  bool may_meet_in_a_word() const;
  double shared_cycles(double rate, double each) const;
  double own_cycles(const char* rate, double each) const;
  double l1_lines_cycles(double lines) const;
  double l2_lines_cycles(double lines) const;
  double dram_lines_cycles(double lines) const;
  // `port`: cycles of the segment at the L1 port.
  double load_latency(const Segment& segment, const SegmentLoads& rows, const Surroundings& around,
                      double port) const;
  // How often a warp waits for a miss of some load of the segment, its own or that of a warp beside
  // it: 0 ... 1. `chance` is of one sector of a row.
  double any(const Segment& segment, const SegmentLoads& rows, bool is_straight,
             double (*chance)(const LoadTraffic&)) const;
  // Bytes a second of "l2_read", "dram_copy" ...: the fact KIND_bandwidth, or
  // KIND_8_blocks_bandwidth.
  double peak(const std::string& kind) const;
  double both_ways_of(const Launch& launch) const;
  double mixed() const;
  struct QueueCurve {
    std::vector<std::pair<double, double>> points;  // use (0 ... 1; rises), cycles (do not fall)
  };
  // Facts KIND_1_block_bandwidth, KIND_2_blocks_bandwidth, KIND_4_blocks_bandwidth; `bytes` a
  // thread and turn.
  QueueCurve queue_curve(const std::string& kind, double latency, double bytes) const;
  static double queue_at(const QueueCurve& curve, double use);

  const DeviceProfile& device_;
  const std::vector<Segment>& segments_;
  std::vector<std::vector<std::size_t>> in_flight_before_;  // [segment]
  std::vector<bool> straight_;                              // [segment] outside loops
  std::vector<bool> opens_;           // [segment] comes no later than its program's first access
  std::vector<bool> finds_l1_empty_;  // [segment] its loads do, where all blocks begin together
  std::vector<bool> turns_;           // [segment] ends the turns of a loop
  double busy_sms_;
  double sms_with_blocks_;  // on average, until the last one has none
  double warps_per_block_;
  bool blocks_follow_;  // one another: more than live on the SMs at a time
  double cycles_per_ns_;
  TagBanks tag_banks_;      // of L1
  double farthest_sm_ = 0;  // cycles from L2, beyond the mean; in launches of one round
  Traffic traffic_;
  double both_ways_ =
      1;  // of the cycles of L2: loads and stores together, look-ups and atomics besides
  QueueCurve l2_reads_, l2_copies_, dram_reads_, dram_copies_;
  double l2_latency_ = 0, dram_latency_ = 0;  // as busy as set_queues() says
  mutable std::vector<std::optional<SegmentCost>>
      costs_;  // [segment] as far as they were asked for since
};

// From one launch's end to the next one's first block, in a graph, with its first accesses.
double launch_cycles(const Launch& launch, const DeviceProfile& device);

}  // namespace pnsim
