// Inference: data-dependent trip counts. A profile has only totals over the warps, so the inferred
// programs have mean trip counts. The profiler also counts the instructions of the busiest
// scheduler, which can exceed those of its programs. A launch whose warps are known has no counter
// kBusiestScheduler: its data_imbalance() is 1, and busiest_sm_programs() does not change it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/model/launch/busiest_scheduler.h"
#include "simulator/model/launch/heuristics.h"
#include "simulator/model/launch/launch.h"

namespace pnsim {

// Blocks of the busiest SM: ceil(working_blocks() / SMs). It may be more where few waves of long
// blocks follow each other: an SM whose blocks all end together gets as many new ones, and others
// get none. So it may in one wave, where blocks that work begin beside idle ones. The counted
// instructions of its scheduler then are those of whole blocks more. (The latter two are the
// heuristic busiest-blocks.)
std::int64_t busiest_blocks(const Launch& launch, std::int64_t sms,
                            const Heuristics& heuristics = {});

// Instructions of the busiest scheduler of the modelled SM with so many blocks (phases_of_sm()),
// divided by the mean of all schedulers of all SMs. 1 where nothing is executed.
double programs_imbalance(const Launch& launch, std::int64_t sms, std::int64_t blocks,
                          const Heuristics& heuristics = {});

// The same ratio from the profiler's counters on `sms` SMs; 0 without these counters.
double counted_imbalance(const Launch& launch, std::int64_t sms);

// The number of SMs that together request as much as all blocks, each as much as the busiest one in
// its `blocks`: sectors from L2, instructions where these blocks request none. 1 to the number of
// SMs.
double mean_busy_sms(const Launch& launch, std::int64_t sms, std::int64_t blocks,
                     const Heuristics& heuristics = {});

// counted_imbalance() over programs_imbalance() on the profiled device, at least 1, for an SM with
// the launch's first blocks (without the heuristic counted-sm). The data cause it, so it is the
// same on other devices.
double data_imbalance(const Launch& launch, const Heuristics& heuristics = {});

// The same for a prediction on a device of `sms` SMs: where the profiled one has as many, the SM is
// that of the heuristic counted-sm, whose blocks explain some or all of the counted instructions.
double unexplained_imbalance(const Launch& launch, std::int64_t sms,
                             const Heuristics& heuristics = {});

// Sets the counters of `launch` so that its data_imbalance() is `imbalance`.
void set_data_imbalance(double imbalance, Launch& launch);

// Programs of the warps of the busiest SM. Loops with different trip counts in different kinds of
// warps get more iterations, until a scheduler executes as much as the busiest one. If such loops
// are less than half of the instructions, all loops get more iterations where the busiest scheduler
// executed at least 15 % more; otherwise nothing changes. The remainder loop of an unrolled loop
// does not change: its trip count is below the unroll factor for all data.
struct BusiestSmPrograms {
  // [Launch::warp_kinds]. Segment s + Launch::segments.size() is segment s executed by one lane,
  // after the other lanes of its warp have left the loop.
  std::vector<std::vector<ProgramItem>> programs;
  bool is_longer = false;  // true where programs may have segments of one lane
  // [Launch::segments] executions in the mean program per execution in these programs. The busiest
  // SM has more accesses than the mean SM, but the totals are those of the launch. So each access
  // uses only this fraction of the units that all SMs share. An execution by one lane counts as
  // 1/lanes of an execution.
  std::vector<double> shared_unit_scale;
};

// `sms`: of the predicted device.
BusiestSmPrograms busiest_sm_programs(const Launch& launch, std::int64_t sms,
                                      const Heuristics& heuristics = {});

}  // namespace pnsim
