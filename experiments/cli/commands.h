// The subcommands of `experiment`: each adds itself to the parser and, when it was chosen, sets
// what main is to run.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "simulator/base/error.h"

namespace pnsim::experiments {

struct Invocation {
  std::string command_line;          // as typed, for the provenance
  bool verbose = false;              // -v
  std::function<ExitCode()> action;  // of the chosen subcommand
};

void add_list_command(CLI::App& app, Invocation& invocation);
void add_show_command(CLI::App& app, Invocation& invocation);
void add_run_command(CLI::App& app, Invocation& invocation);
void add_measure_command(CLI::App& app, Invocation& invocation);
void add_table_command(CLI::App& app, Invocation& invocation);
void add_repeat_command(CLI::App& app, Invocation& invocation);
void add_counts_command(CLI::App& app, Invocation& invocation);
void add_calibrate_command(CLI::App& app, Invocation& invocation);
void add_report_command(CLI::App& app, Invocation& invocation);
void add_validate_command(CLI::App& app, Invocation& invocation);
void add_devices_command(CLI::App& app, Invocation& invocation);
void add_microbench_command(CLI::App& app, Invocation& invocation);
void add_doctor_command(CLI::App& app, Invocation& invocation);
// What `experiment counts` runs under the profiler; not shown in the help.
void add_profile_target_command(CLI::App& app, Invocation& invocation);

}  // namespace pnsim::experiments
