// What a segment costs on a device: cycles of the units that its warp goes through.
#pragma once

#include <cstdint>

#include "simulator/model/device_profile.h"
#include "simulator/model/kernel_model.h"

namespace pnsim {

// Results a segment waits for before it begins; numbers as in models/nets/sm.json.
enum class Waits { kNothing = 0, kQuick = 1, kAll = 2 };

// In cycles of the SM, of one warp.
struct SegmentCost {
  double issue = 1;          // of its scheduler
  double work = 1;           // from its first instruction to the next segment's
  double quick_port = 0;     // of the shared memory and L1 port: shared memory, shuffles
  double quick_latency = 0;  // of its slowest quick result; 0: none
  double port = 0;           // of the same port: L1 look-ups
  double memory = 0;         // of the SM's share of L2 and DRAM
  double latency = 0;        // of its slowest load; 0: none
  Waits waits = Waits::kNothing;
  bool joins = false;        // ends at a barrier
};

// The device as one of `active_sms` SMs sees it while it executes `launch`.
class CostModel {
 public:
  CostModel(const DeviceProfile& device, const Launch& launch, std::int64_t active_sms);

  SegmentCost cost(const Segment& segment) const;
  // Of a segment of which only the paper's counts are known: each access one full line.
  SegmentCost cost(const InstructionCounts& counts) const;

  std::int64_t launch_cycles() const;
  std::int64_t dispatch_cycles() const;                     // from a block's start to the next one's
  std::int64_t barrier_cycles(std::int64_t warps) const;    // of a block of so many warps

 private:
  double pipe_cycles(const Segment& segment) const;
  double quick_latency(const Segment& segment) const;
  void add_access(const SegmentAccess& access, SegmentCost& cost, double& loads) const;
  double load_latency(double loads_of_warp) const;

  const DeviceProfile& device_;
  double active_sms_, warps_per_block_;
  double cycles_per_ns_;
  double l1_hits_;               // share of the sectors of loads
  double l2_reads_, l2_writes_;  // sectors at L2 for one of a load, of a store (L1 joins stores)
  double l2_misses_;             // share of L2's reads
  double cycles_per_l2_sector_, cycles_per_l2_store_, cycles_per_dram_sector_;
};

}  // namespace pnsim
