// Kernel models from the pages of Nsight Compute: exact instruction counts of profiled launches.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/sass/source_page.h"

namespace pnsim {

// One profiled launch as the raw page tells it.
struct ProfiledLaunch {
  int id = 0;          // the profiler's ID
  std::string kernel;  // name without arguments and template brackets
  std::string device;  // as the driver names it
  std::int64_t warps = 0;
  std::int64_t instructions = 0;  // warp instructions executed
  InstructionCounts totals;       // over all warps; the three add up to `instructions`
  double profiled_us = 0;         // gpu__time_duration under the profiler, 0 when not asked for
  // Every column that holds one number of a known unit: counts, bytes, microseconds.
  std::map<std::string, double> counters;
  std::map<std::string, std::int64_t>
      memory;     // those of the memory system, by their names in a model
  Launch launch;  // shape, occupancy, warps with their shares of the totals
};

// ncu --page raw --csv: a header, a row of units, one row a launch. Error 3 naming the column for
// one that is missing or not a number; docs/derive.md lists them and the command that asks for
// them.
std::vector<ProfiledLaunch> read_ncu_raw(const std::string& csv_text, const std::string& origin);

// Each launch gets the programs of its table of the source page (programs.h) and, by the names of
// launch.counters, what the raw page counted of the memory system. The tables are those that
// check_against_source (source_check.h) has held against the launches.
void add_programs(std::vector<ProfiledLaunch>& launches, const std::vector<SourceTable>& tables);

// A model of one launch with one point.
KernelModel model_of_launch(const ProfiledLaunch& launch, const Json& provenance);

}  // namespace pnsim
