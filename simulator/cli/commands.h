// The subcommands of pnsim: each adds itself to the parser; `run` is called when it was chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "simulator/base/error.h"

namespace pnsim {

// Filled by the subcommand that was chosen; main calls it once.
using Action = std::function<ExitCode()>;

void add_run_command(CLI::App& app, Action& action);
void add_exact_command(CLI::App& app, Action& action);
void add_check_command(CLI::App& app, Action& action);
void add_show_command(CLI::App& app, Action& action);
void add_convert_command(CLI::App& app, Action& action);
void add_derive_command(CLI::App& app, Action& action);
void add_sweep_command(CLI::App& app, Action& action);
void add_merge_command(CLI::App& app, Action& action);
void add_sensitivity_command(CLI::App& app, Action& action);
void add_models_command(CLI::App& app, Action& action);
void add_doctor_command(CLI::App& app, Action& action);

}  // namespace pnsim
