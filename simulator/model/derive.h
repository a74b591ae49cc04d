// Kernel models from the pages of Nsight Compute: exact instruction counts of profiled launches.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "simulator/model/kernel_model.h"

namespace pnsim {

// One profiled launch as the raw page tells it.
struct ProfiledLaunch {
  int id = 0;              // the profiler's ID
  std::string kernel;      // name without arguments and template brackets
  std::string device;      // as the driver names it
  std::int64_t warps = 0;
  std::int64_t instructions = 0;  // warp instructions executed
  InstructionCounts totals;       // over all warps; the three add up to `instructions`
  double profiled_us = 0;         // gpu__time_duration under the profiler, 0 when not asked for
  std::map<std::string, std::int64_t> counters;  // of the memory system, those the page has
  Launch launch;                  // shape, occupancy, warps with their shares of the totals
};

// ncu --page raw --csv: a header, a row of units, one row a launch. Error 3 naming the column for
// one that is missing or not a number; docs/derive.md lists them and the command that asks for them.
std::vector<ProfiledLaunch> read_ncu_raw(const std::string& csv_text, const std::string& origin);

// Deals `totals` out to `warps` warps: of a total q * warps + r the first r warps get q + 1 and the
// others q, class by class. Neighbours with equal counts share a kind.
std::vector<WarpKind> deal_out(const InstructionCounts& totals, std::int64_t warps);

// ncu --page source --csv --print-source sass: checks that the instructions of each launch add up
// to its raw total, and that it executes at least the accesses the raw page counts (the source page
// also has those whose lanes were all predicated off). Error 3 names the first that does not.
void check_against_source(const std::vector<ProfiledLaunch>& launches, const std::string& csv_text,
                          const std::string& origin);

// The same check; then each launch gets its programs (programs.h) and counters from the pages.
void add_programs(std::vector<ProfiledLaunch>& launches, const std::string& csv_text,
                  const std::string& origin);

// A model of one launch with one point.
KernelModel model_of_launch(const ProfiledLaunch& launch, const Json& provenance);

}  // namespace pnsim
