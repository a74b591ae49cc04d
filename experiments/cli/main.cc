// experiment: compares predictions with measurements.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "experiments/cli/commands.h"
#include "simulator/base/activity.h"
#include "simulator/base/data_files.h"
#include "simulator/base/nearest.h"
#include "simulator/base/output.h"
#include "simulator/base/program.h"
#include "simulator/base/progress.h"
#include "simulator/base/provenance.h"
#include "simulator/help/help_commands.h"
#include "simulator/help/log.h"
#include "simulator/help/program_options.h"

namespace {

using pnsim::ExitCode;
using pnsim::experiments::Invocation;

const std::vector<std::string> kCommands{
    "list",   "show",  "run",      "measure", "repeat",  "counts", "microbench", "calibrate",
    "report", "table", "validate", "device",  "devices", "doctor", "profile"};
constexpr const char* kHiddenCommand = "profile-target";

// "--compare-gpu recorded" becomes "--compare-gpu=recorded": its value is optional, and another
// word behind it is the name of an experiment.
std::vector<std::string> with_compare_mode(std::vector<std::string> args) {
  static const std::set<std::string> modes{"auto", "live", "recorded"};
  for (std::size_t i = 0; i + 1 < args.size(); ++i) {
    if (args[i] != "--compare-gpu" || !modes.contains(args[i + 1])) continue;
    args[i] += "=" + args[i + 1];
    args.erase(args.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  return args;
}

// A command of pnsim, or an experiment, in place of a command.
std::string hint_of_first_word(const std::string& word) {
  static const std::set<std::string> of_pnsim{"sweep",  "rank",  "compare", "sensitivity", "derive",
                                              "models", "exact", "check",   "convert",     "merge"};
  if (of_pnsim.contains(word)) return "; the program pnsim has it: pnsim " + word;
  const std::vector<std::string> specs = pnsim::shipped_names("experiments/specs");
  if (std::find(specs.begin(), specs.end(), word) != specs.end()) {
    return "; it is an experiment: experiment run " + word;
  }
  return pnsim::suggestion(word, kCommands);
}

// For an unknown subcommand CLI11 reports only that a subcommand is required.
void check_command(const std::vector<std::string>& args) {
  const auto first = std::find_if(args.begin(), args.end(),
                                  [](const std::string& arg) { return !arg.starts_with("-"); });
  const bool has_flag = !args.empty() && args[0].starts_with("-");
  if (first == args.end() && !has_flag) {
    pnsim::fail_usage("expected a command; try: experiment --help");
  }
  if (first == args.end() || *first == kHiddenCommand) return;
  if (std::find(kCommands.begin(), kCommands.end(), *first) == kCommands.end()) {
    pnsim::fail_usage("unknown command \"" + *first + "\"" + hint_of_first_word(*first));
  }
}

void add_commands(CLI::App& app, Invocation& invocation) {
  using namespace pnsim::experiments;
  app.require_subcommand(1);
  add_list_command(app, invocation);
  add_show_command(app, invocation);
  add_run_command(app, invocation);
  add_measure_command(app, invocation);
  add_table_command(app, invocation);
  add_repeat_command(app, invocation);
  add_counts_command(app, invocation);
  add_profile_command(app, invocation);
  add_microbench_command(app, invocation);
  add_calibrate_command(app, invocation);
  add_report_command(app, invocation);
  add_validate_command(app, invocation);
  add_device_command(app, invocation);
  add_devices_command(app, invocation);
  add_doctor_command(app, invocation);
  add_profile_target_command(app, invocation);
}

// The names that shells complete.
pnsim::CompletionRules completion_rules() {
  const auto names_in = [](const char* folder) {
    return [folder] { return pnsim::shipped_names(folder); };
  };
  const auto specs_and_all = [] {
    std::vector<std::string> names = pnsim::shipped_names("experiments/specs");
    names.insert(names.begin(), "all");
    return names;
  };
  return {{{"run", "SPEC", specs_and_all},
           {"validate", "SPEC", specs_and_all},
           {"", "SPEC", names_in("experiments/specs")},
           {"", "--spec", names_in("experiments/specs")},
           {"", "--net", names_in("models/nets")},
           {"", "--device", names_in("models/devices")}},
          ""};
}

ExitCode run(int argc, char** argv) {
  std::vector<std::string> args(argv + 1, argv + argc);
  const bool is_help = pnsim::is_help_command(args);
  if (!is_help) {
    pnsim::refuse_empty_arguments(args);
    args = with_compare_mode(pnsim::without_help_command(std::move(args)));
    check_command(args);
  }
  Invocation invocation;
  invocation.command_line = pnsim::command_line(argc, argv);
  CLI::App app{
      "experiment: predicts GPU programs by Petri nets and compares with measured times\n"
      "experiment help COMMAND explains a command",
      "experiment"};
  bool quiet = false;
  app.set_version_flag("--version", "experiment " + pnsim::program_version() + " (commit " +
                                        pnsim::build_commit() + ")");
  app.add_flag("-q,--quiet", quiet, "only warnings and errors on stderr, no progress");
  app.add_flag("-v,--verbose", invocation.verbose, "more: all points, progress");
  add_commands(app, invocation);
  pnsim::add_message_flags(app, quiet, &invocation.verbose);
  pnsim::add_examples(app, pnsim::experiments::examples());
  if (is_help) {
    pnsim::write_stdout(pnsim::help_command_text(app, args, completion_rules()));
    return ExitCode::kOk;
  }
  const pnsim::UsageHelp help{
      "",
      pnsim::experiments::examples(),
      {},
      {{"--set", "a parameter of the net is an axis: -a l1=40"}},
      {{"validate", std::string("your own kernels: ") + pnsim::experiments::kOwnCommand}}};
  if (!pnsim::parse_arguments(app, args, help)) return ExitCode::kOk;
  pnsim::set_up_log("experiment", quiet                ? pnsim::LogLevel::kWarnings
                                  : invocation.verbose ? pnsim::LogLevel::kDetails
                                                       : pnsim::LogLevel::kNotices);
  const pnsim::Activity activity(pnsim::progress_style(quiet) == pnsim::ProgressStyle::kBar);
  return invocation.action();
}

}  // namespace

int main(int argc, char** argv) {
  return pnsim::run_program("experiment", [&] { return run(argc, argv); });
}
