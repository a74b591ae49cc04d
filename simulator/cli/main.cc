// pnsim: simulates Petri-net models of GPU kernels.
#include <CLI/CLI.hpp>
#include <algorithm>

#include "simulator/base/activity.h"
#include "simulator/base/log.h"
#include "simulator/base/nearest.h"
#include "simulator/base/program.h"
#include "simulator/base/program_options.h"
#include "simulator/base/progress.h"
#include "simulator/base/provenance.h"
#include "simulator/cli/commands.h"

namespace {

using pnsim::ExitCode;

const std::vector<std::string> kCommands{"run",         "exact",  "check", "show",
                                         "convert",     "derive", "sweep", "merge",
                                         "sensitivity", "models", "doctor"};

bool has_word(const std::vector<std::string>& args, const char* word) {
  return std::find(args.begin(), args.end(), word) != args.end();
}

// Turns `pnsim --model X ...` into `pnsim run --model X ...` and rejects unknown commands.
std::vector<std::string> normalised(int argc, char** argv) {
  std::vector<std::string> args(argv + 1, argv + argc);
  pnsim::refuse_empty_arguments(args);
  if (args.empty()) pnsim::fail_usage("expected a command; try: pnsim --help");
  args = pnsim::without_help_command(std::move(args));
  // `pnsim -q COMMAND ...` is `pnsim COMMAND ... -q`.
  if (args[0] == "-q" || args[0] == "--quiet")
    std::rotate(args.begin(), args.begin() + 1, args.end());
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

void add_commands(CLI::App& app, pnsim::Action& action) {
  pnsim::add_run_command(app, action);
  pnsim::add_exact_command(app, action);
  pnsim::add_check_command(app, action);
  pnsim::add_show_command(app, action);
  pnsim::add_convert_command(app, action);
  pnsim::add_derive_command(app, action);
  pnsim::add_sweep_command(app, action);
  pnsim::add_merge_command(app, action);
  pnsim::add_sensitivity_command(app, action);
  pnsim::add_models_command(app, action);
  pnsim::add_doctor_command(app, action);
}

ExitCode run(int argc, char** argv) {
  const std::vector<std::string> args = normalised(argc, argv);
  bool quiet = has_word(args, "-q") || has_word(args, "--quiet");
  pnsim::set_up_log("pnsim", quiet ? pnsim::LogLevel::kWarnings : pnsim::LogLevel::kNotices);
  CLI::App app{
      "pnsim: a Petri-net performance model of GPU kernels\n"
      "pnsim --model FILE|NAME|FOLDER [OPTIONS] simulates a kernel model, or each of a folder "
      "(same as pnsim run --model); pnsim help COMMAND explains a command",
      "pnsim"};
  app.set_version_flag(
      "--version", "pnsim " + pnsim::program_version() + " (commit " + pnsim::build_commit() + ")");
  app.add_flag("-q,--quiet", quiet, "only warnings and errors on stderr, no progress");
  app.require_subcommand(1);
  pnsim::Action action;
  add_commands(app, action);
  pnsim::add_message_flags(app, quiet, nullptr);
  pnsim::add_examples(app, pnsim::examples());
  if (!pnsim::parse_arguments(app, args, "run")) return ExitCode::kOk;
  const pnsim::Activity activity(pnsim::progress_style(quiet) == pnsim::ProgressStyle::kBar);
  return action();
}

}  // namespace

int main(int argc, char** argv) {
  return pnsim::run_program("pnsim", [&] { return run(argc, argv); });
}
