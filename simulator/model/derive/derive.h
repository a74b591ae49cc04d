// Kernel models from the pages of Nsight Compute. The instruction counts are exact.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/sass/source_page.h"

namespace pnsim {

// One launch: a row of the raw page.
struct ProfiledLaunch {
  int id = 0;          // the profiler's ID
  std::string kernel;  // name without arguments and template brackets
  std::string device;  // as the driver names it
  std::int64_t warps = 0;
  std::int64_t instructions = 0;  // warp instructions executed
  InstructionCounts totals;       // over all warps; the three add up to `instructions`
  double profiled_us = 0;  // gpu__time_duration under the profiler, 0 where the page lacks it
  // Every column that holds one number of a known unit: counts, bytes, microseconds.
  std::map<std::string, double> counters;
  // Counters of the memory system, by their names in a model.
  std::map<std::string, std::int64_t> memory;
  Launch launch;  // shape, occupancy, warps with equal shares of the totals
};

// Reads `ncu --page raw --csv`: a header, a row of units, and one row a launch. Error 3 names a
// column that is missing or not a number. docs/derive.md lists the columns, and the command for
// them.
std::vector<ProfiledLaunch> read_ncu_raw(const std::string& csv_text, const std::string& origin);

// Infers the programs of each launch from its table of the source page (infer_programs.h). Also
// copies ProfiledLaunch::memory to Launch::counters. The tables are those that
// check_against_source() (source_check.h) has compared with the launches.
void add_programs(std::vector<ProfiledLaunch>& launches, const std::vector<SourceTable>& tables);

// A model of one launch with one point.
KernelModel model_of_launch(const ProfiledLaunch& launch, const Json& provenance);

}  // namespace pnsim
