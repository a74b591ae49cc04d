#include "gpu/counts.h"

#include "gpu/counter_list.h"
#include "simulator/base/error.h"
#include "simulator/base/ncu.h"
#include "simulator/base/process.h"

namespace pnsim::gpu {
namespace {

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
  run_or_fail(raw_page_command(ncu, job.report), job.raw_csv);
  if (!job.source_csv.empty()) run_or_fail(source_page_command(ncu, job.report), job.source_csv);
  return shell_line(profile);
}

}  // namespace pnsim::gpu
