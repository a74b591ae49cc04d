// Kernel models from the pages of Nsight Compute. The instruction counts are exact.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "simulator/base/ncu.h"
#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/sass/code_fetch.h"
#include "simulator/model/sass/source_page.h"

namespace pnsim {

// [launch] why no model can be made of it, as an error says it; "" for a launch without fault.
using Faults = std::vector<std::string>;

// Error 3 with the first fault.
void refuse_faults(const Faults& faults);

// The ID of a launch whose cell has none.
inline constexpr int kNoLaunchId = -1;

// What the provenance of a model names as the command that made it.
inline constexpr const char* kDeriveCommand = "pnsim derive";

// A column that experiment profile adds to the raw page: how many launches of the program this one
// stands for, since it profiles one or a few of each kind.
inline constexpr const char* kStandsForColumn = "pnsim__stands_for";

// One launch: a row of the raw page.
struct ProfiledLaunch {
  int id = 0;                // the profiler's ID
  std::size_t position = 0;  // in the raw page, from 0
  std::string kernel;        // name without arguments and template brackets
  std::string device;        // as the driver names it
  std::int64_t warps = 0;
  std::int64_t instructions = 0;  // warp instructions executed
  InstructionCounts totals;       // over all warps; the three add up to `instructions`
  double profiled_us = 0;  // gpu__time_duration under the profiler, 0 where the page lacks it
  double stands_for = 0;   // kStandsForColumn; 0 where the page lacks it
  // Columns that decide a predicted time (kept_counters.h) and that the page lacks.
  std::vector<std::string> missing;
  std::vector<std::string> missing_of_slices;  // of the busiest slice of L2, for atomics
  // Every column that holds one number of a known unit: counts, bytes, microseconds.
  std::map<std::string, double> counters;
  // Counters of the memory system, by their names in a model.
  std::map<std::string, std::int64_t> memory;
  CodeFetch code;  // what an SM fetches where other kernels have run in between
  Launch launch;   // shape, occupancy, warps with equal shares of the totals
};

// Reads `ncu --page raw --csv`: a header, a row of units, and one row a launch. Error 3 names the
// columns that are missing, with the command for them (docs/derive.md lists the columns). A row
// with an invalid cell has a fault; of its launch only `kernel` and, where that is valid, `id` are
// known. A row also has a fault where an earlier valid one is of the same kernel with the same ID,
// and where its counters contradict each other. `profile_command` is the command of the message.
struct RawLaunches {
  std::vector<ProfiledLaunch> launches;
  Faults faults;
};
RawLaunches read_raw_launches(const std::string& csv_text, const std::string& origin,
                              const std::string& profile_command = profile_line());

// The same; error 3 for an invalid cell.
std::vector<ProfiledLaunch> read_ncu_raw(const std::string& csv_text, const std::string& origin);

// Infers the programs of each launch from its table of the source page (infer_programs.h). Also
// copies ProfiledLaunch::memory to Launch::counters. The tables are those that source_check.h has
// compared with the launches; a launch with a fault, or without a table, is left as it is. Returns
// the faults, with those of launches whose programs cannot be inferred.
using LaunchTables = std::vector<std::shared_ptr<const SourceTable>>;  // [launch]
Faults add_programs(std::vector<ProfiledLaunch>& launches, const LaunchTables& tables,
                    Faults faults = {});

// A model of one launch with one point.
KernelModel model_of_launch(const ProfiledLaunch& launch, const Json& provenance);

}  // namespace pnsim
