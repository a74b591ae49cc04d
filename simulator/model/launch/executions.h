// How often the warps of a launch execute its segments, and the counters of a launch.
#pragma once

#include <vector>

#include "simulator/model/launch/launch.h"

namespace pnsim {

// Adds the executions of a program, `times` over, to `to` [Launch::segments].
void add_executions(const std::vector<ProgramItem>& program, double times, std::vector<double>& to);

// [Launch::segments] executions by all warps.
std::vector<double> executions_of(const Launch& launch);

// [Launch::segments] true for a segment that no program has in a loop.
std::vector<bool> straight_segments(const Launch& launch);

// [Launch::segments] true for the segments with which some program begins, up to its first access
// or loop. The warps of blocks that start together reach these segments together.
std::vector<bool> opening_segments(const Launch& launch);

// [Launch::segments] the warps of a block that execute it: the mean over the blocks in which some
// warp does, at least 1.
std::vector<double> executing_warps(const Launch& launch);

// 0 for a counter that the launch lacks.
double counter_of(const Launch& launch, const char* name);

}  // namespace pnsim
