// The subcommands of `experiment`. Each function adds its subcommand to the parser; when the user
// chooses it, it stores the action that main runs.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "simulator/base/error.h"
#include "simulator/help/program_options.h"

namespace pnsim::experiments {

struct Invocation {
  std::string command_line;          // as typed, for the provenance of results
  bool verbose = false;              // -v
  std::function<ExitCode()> action;  // set by the chosen subcommand
};

void add_list_command(CLI::App& app, Invocation& invocation);
void add_show_command(CLI::App& app, Invocation& invocation);
void add_run_command(CLI::App& app, Invocation& invocation);
void add_measure_command(CLI::App& app, Invocation& invocation);
void add_table_command(CLI::App& app, Invocation& invocation);
void add_repeat_command(CLI::App& app, Invocation& invocation);
void add_counts_command(CLI::App& app, Invocation& invocation);
void add_profile_command(CLI::App& app, Invocation& invocation);
void add_calibrate_command(CLI::App& app, Invocation& invocation);
void add_report_command(CLI::App& app, Invocation& invocation);
// How `experiment validate` is called for the user's kernels.
inline constexpr const char* kOwnCommand =
    "experiment validate --pages RAW.csv --source SOURCE.csv --times TIMES.csv";
void add_validate_command(CLI::App& app, Invocation& invocation);
void add_device_command(CLI::App& app, Invocation& invocation);
void add_devices_command(CLI::App& app, Invocation& invocation);
void add_microbench_command(CLI::App& app, Invocation& invocation);
void add_doctor_command(CLI::App& app, Invocation& invocation);
// The program that `experiment counts` runs under the profiler. It is hidden from --help.
void add_profile_target_command(CLI::App& app, Invocation& invocation);

// The examples of --help.
Examples examples();

}  // namespace pnsim::experiments
