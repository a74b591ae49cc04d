#include "gpu/counts.h"

#include <sstream>

#include "gpu/counter_list.h"
#include "simulator/base/error.h"
#include "simulator/base/json.h"
#include "simulator/base/ncu.h"
#include "simulator/base/output.h"
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

// Fails where the profiler failed. `output`: what it said.
void check_profiler(int exit_code, const std::string& output) {
  const std::string known = explain_ncu_failure(output);
  if (exit_code == 0 && known.empty()) return;
  fail_unavailable(known.empty() ? "the profiler ended with exit code " +
                                       std::to_string(exit_code) + ": " + last_lines(output, 5)
                                 : known);
}

// The profiler's messages in a page: lines that begin with "==".
std::string messages_in(const std::string& page) {
  std::string text;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("==")) text += line + "\n";
  }
  return text;
}

// Writes the page that the command prints.
void write_page(const std::vector<std::string>& command, const std::string& file) {
  const ProcessText page = read_process(command, kMaxFileBytes);
  check_profiler(page.exit_code, page.messages + messages_in(page.out));
  write_file_whole(file, page.out);
}

}  // namespace

std::vector<std::string> profile_command(const std::string& ncu, const CountsJob& job) {
  std::string metrics;
  for (const std::string& metric : job.in_place_metrics)
    metrics += (metrics.empty() ? "" : ",") + metric;
  std::vector<std::string> command{ncu};
  if (job.selection.empty()) command.insert(command.end(), {"--profile-from-start", "off"});
  command.insert(command.end(), job.selection.begin(), job.selection.end());
  command.insert(command.end(),
                 {"--clock-control", "none", "--cache-control", job.cold ? "all" : "none",
                  "--metrics", metrics.empty() ? metric_argument() : metrics});
  if (!metrics.empty()) {
    command.insert(command.end(), {"--replay-mode", "application"});
  } else {
    for (const char* section : section_list())
      command.insert(command.end(), {"--section", section});
  }
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
  if (output.find("==ERROR== LaunchFailed") != std::string::npos) {
    return "a kernel failed under the profiler (LaunchFailed): see whether the program runs alone "
           "(its exit code, compute-sanitizer); if it does, try another ncu";
  }
  if (output.find("o kernels were profiled") != std::string::npos) {  // "No", in some lines "no"
    return "the profiler saw no kernel (\"No kernels were profiled\"): the program launched none "
           "of "
           "those that were selected, between cudaProfilerStart and cudaProfilerStop or by "
           "--kernel-id; it must launch the same kernels in each run";
  }
  return "";
}

std::string collect_counts(const CountsJob& job) {
  const std::string ncu = find_ncu();
  const std::vector<std::string> profile = profile_command(ncu, job);
  const ProcessResult result = run_process(profile, {.limit_s = job.limit_s});
  check_profiler(result.exit_code, result.output);
  write_page(raw_page_command(ncu, job.report), job.raw_csv);
  if (!job.source_csv.empty()) write_page(source_page_command(ncu, job.report), job.source_csv);
  return shell_line(profile);
}

}  // namespace pnsim::gpu
