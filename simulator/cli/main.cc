// pnsim: simulates Petri-net models of GPU kernels.
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <sstream>

#include "simulator/base/data_files.h"
#include "simulator/base/nearest.h"
#include "simulator/base/output.h"
#include "simulator/base/program.h"
#include "simulator/base/provenance.h"
#include "simulator/cli/commands.h"
#include "simulator/help/help_commands.h"

namespace {

using pnsim::ExitCode;

const std::vector<std::string> kCommands{"compare",     "rank",    "run",    "exact", "check",
                                         "show",        "convert", "derive", "sweep", "merge",
                                         "sensitivity", "device",  "models", "doctor"};

// Messages go to stderr, because stdout is for data.
void set_up_log(const std::vector<std::string>& args) {
  auto log = spdlog::stderr_color_mt("pnsim");
  log->set_pattern("pnsim: %v");
  const auto has = [&](const char* a, const char* b) {
    return std::find(args.begin(), args.end(), a) != args.end() ||
           std::find(args.begin(), args.end(), b) != args.end();
  };
  log->set_level(has("-q", "--quiet") ? spdlog::level::warn : spdlog::level::info);
  spdlog::set_default_logger(log);
}

// Turns `pnsim --model X ...` into `pnsim run --model X ...` and rejects unknown commands.
std::vector<std::string> normalised(int argc, char** argv) {
  std::vector<std::string> args(argv + 1, argv + argc);
  pnsim::refuse_empty_arguments(args);
  if (args.empty()) pnsim::fail_usage("expected a command; try: pnsim --help");
  const std::string& first = args[0];
  if (first == "--model" || first.starts_with("--model=")) {
    args.insert(args.begin(), "run");
  } else if (!first.starts_with("-") &&
             std::find(kCommands.begin(), kCommands.end(), first) == kCommands.end()) {
    pnsim::fail_usage("unknown command \"" + first + "\"" + pnsim::suggestion(first, kCommands));
  } else if (first.starts_with("-")) {
    // Options may precede --model, as in `pnsim --seed 2 --model radix_shared`.
    for (const std::string& arg : args) {
      if (arg == "--model" || arg.starts_with("--model="))
        return args.insert(args.begin(), "run"), args;
    }
  }
  return args;
}

std::vector<std::string> shipped_inputs() {
  std::vector<std::string> names;
  for (const char* folder : {"models", "models/nets"}) {
    for (std::string& name : pnsim::shipped_names(folder)) names.push_back(std::move(name));
  }
  return names;
}

// The names that shells complete.
pnsim::CompletionRules completion_rules() {
  const auto names_in = [](const char* folder) {
    return [folder] { return pnsim::shipped_names(folder); };
  };
  return {{{"", "--model", names_in("models")},
           {"", "--net", names_in("models/nets")},
           {"", "--device", names_in("models/devices")},
           {"", "INPUT", shipped_inputs}},
          "run"};
}

ExitCode run(int argc, char** argv) {
  const bool is_help = pnsim::is_help_command({argv + 1, argv + argc});
  std::vector<std::string> args =
      is_help ? std::vector<std::string>(argv + 1, argv + argc) : normalised(argc, argv);
  set_up_log(args);
  CLI::App app{
      "pnsim: a Petri-net performance model of GPU kernels\n"
      "pnsim --model FILE|NAME|FOLDER [OPTIONS] simulates a kernel model, or each of a folder "
      "(same as "
      "pnsim run --model)",
      "pnsim"};
  app.set_version_flag(
      "--version", "pnsim " + pnsim::program_version() + " (commit " + pnsim::build_commit() + ")");
  app.require_subcommand(1);
  pnsim::Action action;
  pnsim::add_run_command(app, action);
  pnsim::add_exact_command(app, action);
  pnsim::add_check_command(app, action);
  pnsim::add_show_command(app, action);
  pnsim::add_convert_command(app, action);
  pnsim::add_derive_command(app, action);
  pnsim::add_sweep_command(app, action);
  pnsim::add_merge_command(app, action);
  pnsim::add_sensitivity_command(app, action);
  pnsim::add_device_command(app, action);
  pnsim::add_compare_command(app, action);
  pnsim::add_rank_command(app, action);
  pnsim::add_models_command(app, action);
  pnsim::add_doctor_command(app, action);
  if (is_help) {
    pnsim::write_stdout(pnsim::help_command_text(app, args, completion_rules()));
    return ExitCode::kOk;
  }
  try {
    std::reverse(args.begin(), args.end());  // CLI11 expects its arguments in reverse order
    app.parse(args);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      std::ostringstream text;
      app.exit(error, text, text);
      return pnsim::write_stdout(text.str()), ExitCode::kOk;
    }
    pnsim::fail_usage(error.what());
  }
  return action();
}

}  // namespace

int main(int argc, char** argv) {
  return pnsim::run_program("pnsim", [&] { return run(argc, argv); });
}
