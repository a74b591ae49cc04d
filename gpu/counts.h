// Driving NVIDIA's profiler (Nsight Compute, `ncu`): finding it, its command lines, running it.
// What it collects is in counter_list.h; its pages are turned into kernel models by `pnsim derive`.
#pragma once

#include <string>
#include <vector>

namespace pnsim::gpu {

struct CountsJob {
  std::vector<std::string> target;  // the program to be profiled (a path) and its arguments
  std::string report;               // the profiler's own file, "....ncu-rep"; written anew
  std::string raw_csv;              // raw page: a row a launch
  std::string source_csv;           // source page: a row an instruction; "" collects none of it
  bool cold = false;                // flush the caches before each launch
};

// The profiler: on PATH, in CUDA_PATH or CUDA_HOME, beside the usual toolkits. Error 4 when there
// is none.
std::string find_ncu();

// Profiles only what the target puts between cudaProfilerStart and cudaProfilerStop. Clocks are
// left as they are.
std::vector<std::string> profile_command(const std::string& ncu, const CountsJob& job);

// Units are base units (byte, ns), so that no digit is lost to a prefix; a row of units follows
// the header.
std::vector<std::string> raw_page_command(const std::string& ncu, const CountsJob& job);
std::vector<std::string> source_page_command(const std::string& ncu, const CountsJob& job);

// Runs all of it; returns the profiling command as typed. Error 4 with the way out when the
// profiler is missing, may not read the counters, or fails.
std::string collect_counts(const CountsJob& job);

// What is wrong when the profiler ended with `output`, and what to do about it, in one sentence;
// "" when the output names nothing known.
std::string explain_ncu_failure(const std::string& output);

}  // namespace pnsim::gpu
