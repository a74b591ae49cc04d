// The scheduler's issue slots and the pipes behind it.
#pragma once

#include <string_view>

#include "simulator/model/device/device_facts.h"
#include "simulator/model/launch/heuristics.h"
#include "simulator/model/launch/segment.h"
#include "simulator/model/memory/traffic.h"

namespace pnsim {

// Cycles of the scheduler: the largest of its issue slots, the cycles of its busiest pipe, and
// those of its busiest register bank, which delivers one operand a cycle. `branches` counts the
// taken branches, those of loops included.
double issue_cycles(const Segment& segment, double branches, const DeviceFacts& facts,
                    const Heuristics& heuristics);

// Special functions take a unit of the scheduler, constant loads the SM's address divergence unit;
// both serve one instruction at a time. unit_cycles() is the time from one instruction of a class
// to the next of a scheduler when all schedulers execute them (0 for a class without such a unit).
// Those of one warp alone are as far apart. slow_unit_cycles() is that of the segment's special
// functions.
double unit_cycles(std::string_view opcode_class, const DeviceFacts& facts);
double slow_unit_cycles(const Segment& segment, const DeviceFacts& facts);

// The cycles that the segment's products of matrices take the scheduler's tensor core. The warp
// waits for those of mma.sync (in_order), not for those of a warp group. 0 where the device's
// profile has no facts of tensor cores.
struct TensorCycles {
  double in_order = 0, of_groups = 0;
  double of_doubles = 0;  // part of in_order
};
TensorCycles tensor_cycles(const Segment& segment, const DeviceFacts& facts);
// From the start of the segment's products of warp groups at the tensor core until the last one's
// result is there; 0 if the segment ends no group of products, so that nothing can wait for it.
double product_latency(const Segment& segment, const DeviceFacts& facts);

// The cycles that the constant loads of the segment take the SM's address divergence unit: a
// request for each different address of the lanes (constant_rate), and for each request that misses
// the SM's constant cache the time of the cache behind it (constant_miss_cycles). Requests are the
// launch's, spread over its constant loads; at least one for each. first_address_cycles() are those
// of the first address of each load.
double first_address_cycles(const Segment& segment, const DeviceFacts& facts);
double address_unit_cycles(const Segment& segment, const ConstantTraffic& traffic,
                           const DeviceFacts& facts);

// Cycles in which the warp waits for results of its own arithmetic, and for branches.
double stall_cycles(const Segment& segment, const DeviceFacts& facts);

// Cycles from a taken branch to the instruction at its target.
double branch_cycles(const DeviceFacts& facts);
// Cycles from the end of one side of a divergent branch to the reconvergence point.
double reconvergence_cycles(const DeviceFacts& facts);

}  // namespace pnsim
