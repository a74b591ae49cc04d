// The cost of one execution of a segment by one warp: cycles of each unit that the warp uses.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace pnsim {

// Results that a segment waits for before it begins; the numbers of models/nets/sm.json.
// kLoads waits for short-scoreboard results too.
enum class Waits {
  kNothing = 0,
  kShortScoreboard = 1,
  kLoads = 2,
  kProducts = 3,
  kShortScoreboardAndProducts = 4,
  kAll = 5
};

// In cycles of the SM. A field that is a parameter of the net has the parameter's name.
struct SegmentCost {
  double issue = 1;            // of the warp's scheduler
  double slow = 0;             // of the scheduler's unit for special functions
  double addresses = 0;        // of the SM's address divergence unit: constant loads
  double tensor = 0;           // of the scheduler's tensor core
  double work = 1;             // from the first instruction to that of the next segment
  double quick_port = 0;       // of the shared memory and L1 port: shared memory, shuffles
  double quick_latency = 0;    // of the slowest short-scoreboard result; 0: none
  double product_latency = 0;  // from the start of its products of warp groups to their results
  double port = 0;             // of the same port: look-ups in L1
  double l2 = 0, dram = 0;     // of the SM's share of L2, and of DRAM
  double memory = 0;           // of the path to both: for each access the slower of the two
  double atomic = 0;         // of the SM's share of the slice of L2 with the most atomic operations
  double latency = 0;        // of the slowest load; 0: none
  double whole_latency = 0;  // `latency` where no part of it is left to other iterations (copies)
  double l2_latency = 0, dram_latency = 0;  // the parts of `latency` that L2 and DRAM add
  std::int64_t groups = 0;   // of asynchronous copies that land with its own (sm/copy_groups.h)
  std::int64_t awaited = 0;  // that must have landed before it begins
  std::int64_t fills = 0;    // stages of the block that its bulk copies fill (sm/bulk_stages.h)
  std::int64_t drains = 0;   // that its products need filled, and free
  Waits waits = Waits::kNothing;
  bool joins = false;  // ends at a barrier
};

// More than 2^60 stays 2^60, which no net takes.
inline std::int64_t rounded_cycles(double cycles) { return std::llround(std::min(cycles, 0x1p60)); }

}  // namespace pnsim
