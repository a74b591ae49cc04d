// How busy a launch keeps L2 and DRAM, from Little's law: so many warps, each of which requests so
// much in the time that its program takes when nothing delays it.
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
  double memory_cycles = 0;               // of the SM's share, by these
  double latency_cycles = 0;              // of their loads, added up
};

// `costs`, `waits` [Launch::segments].
WarpLoad warp_load(const Launch& launch, const std::vector<SegmentCost>& costs,
                   const std::vector<LoadWaits>& waits);

// What a wait for a level takes longer, in cycles, at this utilisation (0 ... 1).
using Queue = std::function<double(double utilisation)>;

// Utilisation of a level by `warps` warps, 0 ... 1: the rho with
// rho = warps * busy / (cycles + waits * queue(rho)), or 1.
double utilisation_of(double warps, double busy, double cycles, double waits, const Queue& queue);

// How many cycles loads queue at L2 and at DRAM when up to `residency.slots` blocks live on each
// SM: mean over the rounds of blocks, of which the last may have fewer. The first loads of a block
// come all at once, and the net knows their waits for each other. The more blocks there are, and
// loads that a warp makes one after the other, the more randomly they arrive. Between two blocks of
// one slot the slot is empty for a while and requests nothing (`turnover_cycles`).
LoadLatencies queueing(const Launch& launch, WarpLoad load, const Residency& residency,
                       const Traffic& traffic, const DeviceFacts& facts,
                       const Heuristics& heuristics);

// Accesses that may be outstanding before the SM's share of L2 and DRAM has served them. Where two
// or more rounds of resident blocks follow one another, the SMs access memory at different times,
// and what one leaves idle another uses: up to a block's accesses, but no more than arrive during
// the latency of one. Where most blocks begin together: 2, so that the share is never idle.
std::int64_t accesses_ahead(const Launch& launch, const WarpLoad& load, double rounds,
                            const Heuristics& heuristics);

// In several waves some blocks use L2 while others use DRAM: the part of the accesses' cycles, each
// those of the slower of both levels, that is left then.
double level_overlap(const WarpLoad& load, bool several_waves, const Heuristics& heuristics);

}  // namespace pnsim
