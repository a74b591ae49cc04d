// How often the warps of a launch execute its segments, and what was counted of it.
#pragma once

#include <vector>

#include "simulator/model/launch/launch.h"

namespace pnsim {

// Adds to `to` [Launch::segments] the executions of a program, `times` over.
void add_executions(const std::vector<ProgramItem>& program, double times, std::vector<double>& to);

// [Launch::segments] by all warps.
std::vector<double> executions_of(const Launch& launch);

// [Launch::segments] outside loops in all programs that have it.
std::vector<bool> straight_segments(const Launch& launch);

// [Launch::segments] where some program begins: up to its first access or loop, which all warps of
// a round reach together.
std::vector<bool> opening_segments(const Launch& launch);

// 0 where it was not counted.
double counter_of(const Launch& launch, const char* name);

}  // namespace pnsim
