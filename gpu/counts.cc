#include "gpu/counts.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "gpu/counter_list.h"
#include "gpu/process.h"
#include "simulator/base/error.h"

namespace pnsim::gpu {
namespace {

namespace fs = std::filesystem;

bool is_executable(const std::string& path) { return access(path.c_str(), X_OK) == 0; }

// Nsight Compute installs each version into its own folder; returns the newest by name.
std::string newest_install(const std::string& root) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root, ignored)) {
    const std::string candidate = entry.path().string() + "/ncu";
    if (is_executable(candidate)) found.push_back(candidate);
  }
  return found.empty() ? "" : *std::max_element(found.begin(), found.end());
}

std::vector<std::string> toolkit_candidates() {
  std::vector<std::string> candidates;
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"}) {
    if (const char* folder = std::getenv(variable)) {
      candidates.push_back(std::string(folder) + "/bin/ncu");
    }
  }
  candidates.push_back("/usr/local/cuda/bin/ncu");
  candidates.push_back("/opt/cuda/bin/ncu");
  return candidates;
}

std::string last_lines(const std::string& text, int lines) {
  std::size_t start = text.size();
  for (int i = 0; i <= lines && start != 0 && start != std::string::npos; ++i) {
    start = text.rfind('\n', start - 1);
  }
  return start == 0 || start == std::string::npos ? text : text.substr(start + 1);
}

void run_or_fail(const std::vector<std::string>& command, const std::string& stdout_path) {
  const ProcessResult result = run_process(command, stdout_path);
  const std::string known = explain_ncu_failure(result.output);
  if (result.exit_code == 0 && known.empty()) return;
  fail_unavailable(known.empty()
                       ? "the profiler ended with exit code " + std::to_string(result.exit_code) +
                             ": " + last_lines(result.output, 5)
                       : known);
}

}  // namespace

std::string find_ncu() {
  const std::string on_path = find_on_path("ncu");
  if (!on_path.empty()) return on_path;
  for (const std::string& candidate : toolkit_candidates()) {
    if (is_executable(candidate)) return candidate;
  }
  const std::string installed = newest_install("/opt/nvidia/nsight-compute");
  if (!installed.empty()) return installed;
  fail_unavailable(
      "Nsight Compute (ncu) was not found: looked at PATH, CUDA_PATH, CUDA_HOME, /usr/local/cuda, "
      "/opt/cuda and /opt/nvidia/nsight-compute; install it (package nsight-compute of the CUDA "
      "Toolkit) or put its folder on PATH");
}

std::vector<std::string> profile_command(const std::string& ncu, const CountsJob& job) {
  std::vector<std::string> command = {
      ncu,
      job.kernel_id.empty() ? "--profile-from-start" : "--kernel-id",
      job.kernel_id.empty() ? "off" : job.kernel_id,
      "--clock-control",
      "none",
      "--cache-control",
      job.cold ? "all" : "none",
      "--metrics",
      metric_argument()};
  for (const char* section : section_list()) command.insert(command.end(), {"--section", section});
  if (!job.source_csv.empty()) command.insert(command.end(), {"--section", "SourceCounters"});
  command.insert(command.end(), {"-f", "-o", job.report});
  command.insert(command.end(), job.target.begin(), job.target.end());
  return command;
}

std::vector<std::string> raw_page_command(const std::string& ncu, const CountsJob& job) {
  return {ncu, "--import", job.report, "--page", "raw", "--csv", "--print-units", "base"};
}

std::vector<std::string> source_page_command(const std::string& ncu, const CountsJob& job) {
  return {ncu, "--import", job.report, "--page", "source", "--csv", "--print-source", "sass"};
}

std::string explain_ncu_failure(const std::string& output) {
  if (output.find("ERR_NVGPUCTRPERM") != std::string::npos) {
    return "the driver does not let this user read the GPU's counters (ERR_NVGPUCTRPERM): run as "
           "root, or have the administrator load the driver with "
           "NVreg_RestrictProfilingToAdminUsers=0; in a container, add the capability SYS_ADMIN";
  }
  if (output.find("LibraryNotLoaded") != std::string::npos) {
    return "the profiler could not load its driver library (LibraryNotLoaded): this machine's "
           "virtualization hides the GPU's counters; run on one that does not";
  }
  if (output.find("No kernels were profiled") != std::string::npos) {
    return "the profiler saw no kernel: the target launched none between cudaProfilerStart and "
           "cudaProfilerStop";
  }
  return "";
}

std::string collect_counts(const CountsJob& job) {
  const std::string ncu = find_ncu();
  const std::vector<std::string> profile = profile_command(ncu, job);
  run_or_fail(profile, "");
  run_or_fail(raw_page_command(ncu, job), job.raw_csv);
  if (!job.source_csv.empty()) run_or_fail(source_page_command(ncu, job), job.source_csv);
  return shell_line(profile);
}

}  // namespace pnsim::gpu
