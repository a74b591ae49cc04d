// How busy a launch keeps L2 and DRAM, from Little's law: so many warps, each of which asks for so
// much in the time that its program takes when nobody is in its way.
#pragma once

#include <cstdint>
#include <functional>

#include "simulator/model/cost/segment_cost.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// Of one warp, all its program: means over the warps of the launch.
struct WarpLoad {
  double cycles = 0;                      // work and waits, one after the other
  double l2_cycles = 0, dram_cycles = 0;  // of the SM's shares
  double l2_waits = 0, dram_waits = 0;    // how often it waits for a load from there
  double accesses = 0;                    // segments that ask for something there
  double memory_cycles = 0;               // of the SM's share, by these
  double latency_cycles = 0;              // of their loads, added up
};

WarpLoad warp_load(const Launch& launch, const CostModel& model);

// What a wait for a level takes longer, in cycles, when the level is so busy (0 ... 1).
using Queue = std::function<double(double use)>;

// Use of a level by `warps` warps, 0 ... 1: the rho with
// rho = warps * busy / (cycles + waits * queue(rho)), or 1.
double use_of(double warps, double busy, double cycles, double waits, const Queue& queue);

// Tells the model how long loads queue when up to `slots` blocks live on each SM: mean over the
// rounds of blocks, of which the last may have fewer. A block's first loads come all at once, and
// what they wait for each other the net knows; the more blocks there are, and loads that a warp
// makes one after the other, the more they come at random. Where blocks follow one another their
// slots are empty for a while after each, and ask for nothing.
void set_use(const Launch& launch, std::int64_t sms, std::int64_t slots, bool blocks_follow,
             CostModel& model);

// Accesses that may be under way before the SM's share of L2 and DRAM has served them. Where
// `rounds` of resident blocks follow one another, two at least, those of all SMs ask at different
// times, and what one asks for at once the others leave to it: a block's accesses, but no more than
// what arrives in the time that one takes. Where most blocks begin together, as good as none: 2, so
// that the share is never idle.
std::int64_t accesses_ahead(const Launch& launch, const CostModel& model, double rounds);

// Where blocks follow one another, some are busy with L2 while others are with DRAM: the share of
// the accesses' cycles, each those of the slower of both, that is left then.
double overlap_of(const Launch& launch, const CostModel& model, bool blocks_follow);

}  // namespace pnsim
