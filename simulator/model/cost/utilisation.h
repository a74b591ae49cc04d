// How busy a launch keeps L2 and DRAM, from Little's law: the number of warps times the requests of
// one warp, divided by the time that its program takes without queueing.
#pragma once

#include <cstdint>
#include <functional>

#include "simulator/model/cost/cost_inputs.h"
#include "simulator/model/cost/load_latency.h"
#include "simulator/model/cost/queues.h"
#include "simulator/model/cost/segment_cost.h"

namespace pnsim {

// The whole program of one warp: means over the warps of the launch.
struct WarpLoad {
  double cycles = 0;                      // work and waits, one after the other
  double l2_cycles = 0, dram_cycles = 0;  // of the SM's shares
  double l2_waits = 0, dram_waits = 0;    // how often it waits for a load from there
  double accesses = 0;                    // segments that request something there
  double memory_cycles = 0;               // of the SM's share, for these accesses
  double latency_cycles = 0;              // of their loads, added up
};

// `costs`, `waits` [Launch::segments].
WarpLoad warp_load(const Launch& launch, const std::vector<SegmentCost>& costs,
                   const std::vector<LoadWaits>& waits);

// The cycles that queueing adds to a wait for a level at this utilisation (0 ... 1).
using Queue = std::function<double(double utilisation)>;

// Utilisation of a level by `warps` warps, 0 ... 1: the rho with
// rho = warps * busy / (cycles + waits * queue(rho)), or 1.
double utilisation_of(double warps, double busy, double cycles, double waits, const Queue& queue);

// How many cycles loads queue at L2 and at DRAM when up to `residency.slots` blocks are resident on
// each SM: the mean over the waves of blocks; the last wave may have fewer. The first loads of a
// block come all at once; the net simulates their queueing, so it is not added here. The more
// blocks there are, and the more loads a warp makes one after the other, the more randomly the
// loads arrive. Between two of its blocks a slot is empty for turnover_cycles() and requests
// nothing.
LoadLatencies queueing(const Launch& launch, WarpLoad load, const Residency& residency,
                       const Traffic& traffic, const DeviceFacts& facts,
                       const Heuristics& heuristics);

// Accesses that may be outstanding before the SM's share of L2 and DRAM has served them. With two
// or more waves of blocks the SMs access memory at different times, and one SM can use the
// bandwidth that another leaves idle. The number then is a block's accesses, but at most those that
// arrive during one latency. Otherwise it is 2, so that the share is never idle.
std::int64_t accesses_ahead(const Launch& launch, const WarpLoad& load, double rounds,
                            const Heuristics& heuristics);

// A factor on the memory cycles of accesses. In several waves some blocks use L2 while others use
// DRAM, so the sum of each access's slower level is too long. `missing` as in both_levels().
double level_overlap(const WarpLoad& load, bool several_waves, double missing,
                     const Heuristics& heuristics);

}  // namespace pnsim
