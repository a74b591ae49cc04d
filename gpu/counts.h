// Profiles a program under NVIDIA's profiler (base/ncu.h) and prints the pages of its report.
// counter_list.h lists what it collects; `pnsim derive` converts its pages into kernel models.
#pragma once

#include <string>
#include <vector>

namespace pnsim::gpu {

struct CountsJob {
  std::vector<std::string> target;     // path and arguments of the program to profile
  std::string report;                  // the profiler's report file, "....ncu-rep"; overwritten
  std::string raw_csv;                 // raw page: one row per launch
  std::string source_csv;              // source page: one row per instruction; "": not collected
  bool cold = false;                   // flush the caches before each launch
  std::vector<std::string> selection;  // the profiler's options; none: see profile_command()
  // If not empty, the only metrics that are collected. The profiler then repeats the whole program
  // instead of each launch, so that a launch finds in L2 what those before it left there.
  std::vector<std::string> in_place_metrics{};
  double limit_s = 0;  // if over 0, a profiler that runs longer is ended
};

// Profiles the launches that `selection` selects (launch_choice.h); without one, those between
// cudaProfilerStart and cudaProfilerStop. It does not lock the clocks.
std::vector<std::string> profile_command(const std::string& ncu, const CountsJob& job);

// Runs all commands and returns the profiling command as a user would type it. Error 4, with the
// remedy, when the profiler is missing, may not read the counters, or fails. Error 5 for a page
// that is too large to be read, and for a profiler that runs longer than the limit.
std::string collect_counts(const CountsJob& job);

// The cause of a profiler failure with `output`, and the remedy, in one sentence; "" when the
// output contains no known failure.
std::string explain_ncu_failure(const std::string& output);

}  // namespace pnsim::gpu
