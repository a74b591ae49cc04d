// The scheduler's issue slots and the pipes behind it.
#pragma once

#include <string_view>

#include "simulator/model/device/device_facts.h"
#include "simulator/model/launch/heuristics.h"
#include "simulator/model/launch/segment.h"

namespace pnsim {

// Cycles of the scheduler: its slots, or the cycles of the busiest of its pipes, or of a bank of
// its registers, which delivers one operand a cycle. `branches` are taken, those of loops included.
double issue_cycles(const Segment& segment, double branches, const DeviceFacts& facts,
                    const Heuristics& heuristics);

// Special functions and constant loads are issued one at a time, to units of their own: cycles of
// one instruction of the class (0 for a class without such a unit), and of all of the segment.
double unit_cycles(std::string_view opcode_class, const DeviceFacts& facts);
double slow_unit_cycles(const Segment& segment, const DeviceFacts& facts);

// Cycles in which the warp waits for results of its own arithmetic, and for branches.
double stall_cycles(const Segment& segment, const DeviceFacts& facts);

// From a taken branch to the instruction that it leads to.
double branch_cycles(const DeviceFacts& facts);
// What diverged lanes take from the end of one side to the reconvergence point.
double reconvergence_cycles(const DeviceFacts& facts);

}  // namespace pnsim
