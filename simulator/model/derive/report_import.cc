#include "simulator/model/derive/report_import.h"

#include <utility>

#include "simulator/base/error.h"
#include "simulator/base/json.h"
#include "simulator/base/ncu.h"
#include "simulator/base/process.h"

namespace pnsim {
namespace {

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
  const std::vector<std::string> argv = command(ncu, report);
  ProcessText result = read_process(argv, kMaxFileBytes);
  if (result.exit_code == 0) return std::move(result.out);
  const std::string& said = result.messages.empty() ? result.out : result.messages;
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
