// Warps that differ by their data: how much more the busiest scheduler of the GPU had to do than
// the programs of mean warps say.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/model/launch/launch.h"

namespace pnsim {

// Names of counters of a launch: what the busiest scheduler executed, and all together.
inline constexpr const char* kBusiestScheduler = "busiest_scheduler_instructions";
inline constexpr const char* kAllSchedulers = "executed_instructions";
inline constexpr const char* kProfiledSms = "profiled_sms";

// Schedulers of an SM: of all devices of the last ten years.
inline constexpr std::int64_t kSchedulersPerSm = 4;

// Blocks that the busiest SM executes: ceil(grid / SMs), or more where few rounds of long blocks
// follow one another and its scheduler was counted to have done the work of whole blocks more, in
// as many rounds: an SM whose blocks all end at once gets as many new ones, while others get none.
std::int64_t busiest_blocks(const Launch& launch, std::int64_t sms);

// Instructions of the busiest scheduler of an SM that executes the busiest_blocks() of the launch,
// over the mean of all schedulers of all SMs; the warps of its blocks go to the schedulers in turn.
// 1 where nothing is executed.
double programs_imbalance(const Launch& launch, std::int64_t sms);

// The same as the profiler counted it on `sms` SMs; 0 where it did not.
double counted_imbalance(const Launch& launch, std::int64_t sms);

// SMs that were profiled; none where the profiler did not tell, or tells what no GPU has.
std::optional<std::int64_t> profiled_sms(const Launch& launch);

// SMs that are busy on average while the busiest one executes its blocks.
double mean_busy_sms(const Launch& launch, std::int64_t sms);

// How much more the busiest scheduler did than the programs say, on the device that was profiled:
// it is the data's doing, and so the same on others. At least 1.
double data_imbalance(const Launch& launch);

// Counters of `launch` such that its data_imbalance() is `imbalance`.
void set_data_imbalance(double imbalance, Launch& launch);

// Programs of the warps of the busiest SM. Loops that warps leave at different times, as the kinds
// of warps show, go on longer, so that their scheduler does as much as the busiest one; where such
// loops are less than half of the instructions, all loops do if it did 15 % more, else all stays.
// What is left over of an unrolled loop does not: it has its few turns whatever the data says.
struct Stretch {
  // [Launch::warp_kinds]; Segment s + Launch::segments.size() is s as the one lane executes it that
  // goes on when the others of its warp have left the loop.
  std::vector<std::vector<ProgramItem>> programs;
  bool is_longer = false;  // programs may name segments of one lane
  // [Launch::segments] its executions before, for one now: what all SMs share, others ask for less
  // of. What one lane executes counts for its part of the lanes.
  std::vector<double> relief;
};

Stretch stretch_of(const Launch& launch);

}  // namespace pnsim
