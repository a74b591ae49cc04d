#include "simulator/model/derive/report_import.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "simulator/base/error.h"
#include "simulator/base/json.h"
#include "simulator/base/ncu.h"
#include "simulator/base/process.h"

namespace pnsim {
namespace {

// A file for the profiler's output, removed at the end.
class ScratchFile {
 public:
  ScratchFile() : path_(std::filesystem::temp_directory_path().string() + "/pnsim-page-XXXXXX") {
    const int file = mkstemp(path_.data());
    if (file < 0) throw Error(ExitCode::kOutput, path_ + ": no temporary file can be made");
    close(file);
  }
  ~ScratchFile() { unlink(path_.c_str()); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string commands_for(const std::string& report) {
  return raw_page_line(report) + "\n  " + source_page_line(report) +
         "\n  and give --ncu raw.csv --source source.csv";
}

using PageCommand = std::vector<std::string> (*)(const std::string& ncu, const std::string& report);

std::string page_of_report(const std::string& report, PageCommand command) {
  check_file(report);
  const std::string ncu = installed_ncu();
  if (ncu.empty()) {
    fail_input(report,
               "found a report in ncu's own format, expected its pages as CSV; the profiler (ncu), "
               "which could print them, was not found on PATH nor where the CUDA toolkit puts it. "
               "On a machine that has it, type:\n  " +
                   commands_for(report));
  }
  const ScratchFile page;
  const std::vector<std::string> argv = command(ncu, report);
  const ProcessResult result = run_process(argv, page.path());
  if (result.exit_code == 0) return read_file(page.path());
  const std::string said = result.output.empty() ? read_file(page.path()) : result.output;
  fail_input(report, shell_line(argv) + " ended with exit code " +
                         std::to_string(result.exit_code) + ": " + said.substr(0, 500) +
                         (said.ends_with('\n') ? "" : "\n") +
                         "A report is read by the version of ncu that wrote it, or a later one. "
                         "There, type:\n  " +
                         commands_for(report));
}

}  // namespace

std::string raw_page_of_report(const std::string& report) {
  return page_of_report(report, raw_page_command);
}

std::string source_page_of_report(const std::string& report) {
  return page_of_report(report, source_page_command);
}

}  // namespace pnsim
