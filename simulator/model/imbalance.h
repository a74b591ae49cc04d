// Warps that differ by their data: how much more the busiest scheduler of the GPU had to do than
// the programs of mean warps say.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/model/kernel_model.h"

namespace pnsim {

// Names of counters of a launch: what the busiest scheduler executed, and all together.
inline constexpr const char* kBusiestScheduler = "busiest_scheduler_instructions";
inline constexpr const char* kAllSchedulers = "executed_instructions";
inline constexpr const char* kProfiledSms = "profiled_sms";

// Instructions of the busiest scheduler of an SM that executes `blocks` of the launch's blocks,
// over the mean of all schedulers of all SMs; the warps of resident blocks go to the schedulers in
// turn.
double programs_imbalance(const Launch& launch, std::int64_t sms, std::int64_t schedulers);

// The same as the profiler counted it; 0 where it did not.
double counted_imbalance(const Launch& launch, std::int64_t sms, std::int64_t schedulers);

// SMs that are busy on average while the busiest one, with ceil(grid / SMs) blocks, executes its share.
double mean_busy_sms(const Launch& launch, std::int64_t sms);

// Programs of warps ([Launch::warp_kinds]) of the busiest scheduler. Loops that warps leave at
// different times, as the sums over the launch show, go on longer: `factor` times as long.
struct Stretch {
  double factor = 1;
  std::vector<bool> segments;  // [Launch::segments] is it in such a loop?
};

Stretch stretch_of(const Launch& launch, std::int64_t sms, std::int64_t schedulers);
std::vector<ProgramItem> stretched(const std::vector<ProgramItem>& program, const Stretch& stretch);

}  // namespace pnsim
