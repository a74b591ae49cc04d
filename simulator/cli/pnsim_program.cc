#include "simulator/cli/pnsim_program.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "simulator/base/activity.h"
#include "simulator/base/data_files.h"
#include "simulator/base/output.h"
#include "simulator/base/program.h"
#include "simulator/base/progress.h"
#include "simulator/base/provenance.h"
#include "simulator/cli/commands.h"
#include "simulator/cli/word_hint.h"
#include "simulator/help/help_commands.h"
#include "simulator/help/log.h"
#include "simulator/help/program_options.h"

namespace pnsim {
namespace {

const std::vector<std::string> kPnsimCommands{"compare",     "rank",    "run",    "exact", "check",
                                              "show",        "convert", "derive", "sweep", "merge",
                                              "sensitivity", "device",  "models", "doctor"};

bool has_word(const std::vector<std::string>& args, const char* word) {
  return std::find(args.begin(), args.end(), word) != args.end();
}

// Turns `pnsim --model X ...` into `pnsim run --model X ...` and rejects unknown commands.
std::vector<std::string> normalised(int argc, char** argv) {
  std::vector<std::string> args(argv + 1, argv + argc);
  refuse_empty_arguments(args);
  if (args.empty()) fail_usage("expected a command; try: pnsim --help");
  args = without_help_command(std::move(args));
  // `pnsim -q COMMAND ...` is `pnsim COMMAND ... -q`.
  if (args[0] == "-q" || args[0] == "--quiet")
    std::rotate(args.begin(), args.begin() + 1, args.end());
  const std::string& first = args[0];
  if (first == "--model" || first.starts_with("--model=")) {
    args.insert(args.begin(), "run");
  } else if (!first.starts_with("-") && std::find(kPnsimCommands.begin(), kPnsimCommands.end(),
                                                  first) == kPnsimCommands.end()) {
    fail_usage("unknown command \"" + first + "\"" + hint_of_first_word(first, kPnsimCommands));
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
    for (std::string& name : shipped_names(folder)) names.push_back(std::move(name));
  }
  return names;
}

// The names that shells complete.
CompletionRules completion_rules() {
  const auto names_in = [](const char* folder) {
    return [folder] { return shipped_names(folder); };
  };
  return {{{"", "--model", names_in("models")},
           {"", "--net", names_in("models/nets")},
           {"", "--device", names_in("models/devices")},
           {"", "INPUT", shipped_inputs},
           {"compare", "B", names_in("models")},
           {"scale", "SOURCE", names_in("models/devices")}},
          "run"};
}

void add_commands(CLI::App& app, Action& action) {
  add_run_command(app, action);
  add_exact_command(app, action);
  add_check_command(app, action);
  add_show_command(app, action);
  add_convert_command(app, action);
  add_derive_command(app, action);
  add_sweep_command(app, action);
  add_merge_command(app, action);
  add_sensitivity_command(app, action);
  add_device_command(app, action);
  add_compare_command(app, action);
  add_rank_command(app, action);
  add_models_command(app, action);
  add_doctor_command(app, action);
}

ExitCode run_pnsim(int argc, char** argv) {
  const bool is_help = is_help_command({argv + 1, argv + argc});
  const std::vector<std::string> args =
      is_help ? std::vector<std::string>(argv + 1, argv + argc) : normalised(argc, argv);
  bool quiet = has_word(args, "-q") || has_word(args, "--quiet");
  set_up_log("pnsim", quiet ? LogLevel::kWarnings : LogLevel::kNotices);
  CLI::App app{
      "pnsim: a Petri-net performance model of GPU kernels\n"
      "pnsim --model FILE|NAME|FOLDER [OPTIONS] simulates a kernel model, or each of a folder "
      "(same as pnsim run --model); pnsim help COMMAND explains a command",
      "pnsim"};
  app.set_version_flag("--version",
                       "pnsim " + program_version() + " (commit " + build_commit() + ")");
  app.add_flag("-q,--quiet", quiet, "only warnings and errors on stderr, no progress");
  app.require_subcommand(1);
  Action action;
  add_commands(app, action);
  add_message_flags(app, quiet, nullptr);
  add_examples(app, examples());
  if (is_help) {
    write_stdout(help_command_text(app, args, completion_rules()));
    return ExitCode::kOk;
  }
  const UsageHelp help{
      "run",
      examples(),
      {{"--device", "pnsim compare MODEL --device h200,h100"}},
      {{"--times",
        "measured times of your own launches are compared by: experiment validate --pages RAW.csv "
        "--source SOURCE.csv --times TIMES.csv"},
       {"--pages",
        "pages of a profile are read by: pnsim derive --ncu RAW.csv --source SOURCE.csv -o DIR"}}};
  if (!parse_arguments(app, args, help)) return ExitCode::kOk;
  const Activity activity(progress_style(quiet) == ProgressStyle::kBar);
  return action();
}

}  // namespace

int pnsim_program(int argc, char** argv) {
  return run_program("pnsim", [&] { return run_pnsim(argc, argv); });
}

}  // namespace pnsim
