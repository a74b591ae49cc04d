// The subcommands of pnsim. Each function adds its subcommand to the parser; when the user chooses
// it, it sets `action`.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "simulator/base/error.h"
#include "simulator/help/program_options.h"

namespace pnsim {

// Set by the chosen subcommand; main calls it once.
using Action = std::function<ExitCode()>;

void add_run_command(CLI::App& app, Action& action);
void add_exact_command(CLI::App& app, Action& action);
void add_check_command(CLI::App& app, Action& action);
void add_compare_command(CLI::App& app, Action& action);
void add_show_command(CLI::App& app, Action& action);
void add_convert_command(CLI::App& app, Action& action);
void add_derive_command(CLI::App& app, Action& action);
void add_sweep_command(CLI::App& app, Action& action);
void add_merge_command(CLI::App& app, Action& action);
void add_sensitivity_command(CLI::App& app, Action& action);
void add_device_command(CLI::App& app, Action& action);
void add_models_command(CLI::App& app, Action& action);
void add_rank_command(CLI::App& app, Action& action);
void add_doctor_command(CLI::App& app, Action& action);

// The examples of --help.
Examples examples();

}  // namespace pnsim
