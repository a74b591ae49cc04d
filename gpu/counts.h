// Drives NVIDIA's profiler (Nsight Compute, `ncu`): finds it, builds its command lines and runs it.
// counter_list.h lists what it collects; `pnsim derive` converts its pages into kernel models.
#pragma once

#include <string>
#include <vector>

namespace pnsim::gpu {

struct CountsJob {
  std::vector<std::string> target;  // path and arguments of the program to profile
  std::string report;               // the profiler's report file, "....ncu-rep"; overwritten
  std::string raw_csv;              // raw page: one row per launch
  std::string source_csv;           // source page: one row per instruction; "": not collected
  bool cold = false;                // flush the caches before each launch
  std::string kernel_id;            // the profiler's --kernel-id; "": see profile_command()
};

// Finds the profiler: on PATH, in CUDA_PATH or CUDA_HOME, or next to the usual toolkits. Error 4
// when there is none.
std::string find_ncu();

// Profiles the launches that `kernel_id` selects; without one, those between cudaProfilerStart and
// cudaProfilerStop. It does not lock the clocks.
std::vector<std::string> profile_command(const std::string& ncu, const CountsJob& job);

// Base units (byte, ns) avoid loss of digits to a unit prefix. A row of units follows the header.
std::vector<std::string> raw_page_command(const std::string& ncu, const CountsJob& job);
std::vector<std::string> source_page_command(const std::string& ncu, const CountsJob& job);

// Runs all commands and returns the profiling command as a user would type it. Error 4, with the
// remedy, when the profiler is missing, may not read the counters, or fails.
std::string collect_counts(const CountsJob& job);

// The cause of a profiler failure with `output`, and the remedy, in one sentence; "" when the
// output contains no known failure.
std::string explain_ncu_failure(const std::string& output);

}  // namespace pnsim::gpu
