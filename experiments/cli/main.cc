// experiment: compares predictions with measurements.
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <sstream>

#include "experiments/cli/commands.h"
#include "simulator/base/data_files.h"
#include "simulator/base/nearest.h"
#include "simulator/base/output.h"
#include "simulator/base/program.h"
#include "simulator/base/provenance.h"
#include "simulator/help/help_commands.h"

namespace {

using pnsim::ExitCode;
using pnsim::experiments::Invocation;

const std::vector<std::string> kCommands{
    "list",   "show",  "run",      "measure", "repeat",  "counts", "microbench", "calibrate",
    "report", "table", "validate", "device",  "devices", "doctor", "profile"};
constexpr const char* kHiddenCommand = "profile-target";

// Messages go to stderr, because stdout is for data.
void set_up_log(bool quiet, bool verbose) {
  auto log = spdlog::stderr_color_mt("experiment");
  log->set_pattern("experiment: %v");
  log->set_level(quiet     ? spdlog::level::warn
                 : verbose ? spdlog::level::debug
                           : spdlog::level::info);
  spdlog::set_default_logger(log);
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
    pnsim::fail_usage("unknown command \"" + *first + "\"" + pnsim::suggestion(*first, kCommands));
  }
}

void add_commands(CLI::App& app, Invocation& invocation) {
  using namespace pnsim::experiments;
  app.require_subcommand(1);
  app.fallthrough();  // allows -q and -v after the subcommand
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
    check_command(args);
  }
  Invocation invocation;
  invocation.command_line = pnsim::command_line(argc, argv);
  CLI::App app{"experiment: predicts GPU programs by Petri nets and compares with measured times",
               "experiment"};
  bool quiet = false;
  app.set_version_flag("--version", "experiment " + pnsim::program_version() + " (commit " +
                                        pnsim::build_commit() + ")");
  app.add_flag("-q,--quiet", quiet, "only warnings and errors on stderr");
  app.add_flag("-v,--verbose", invocation.verbose, "more: all points, progress");
  add_commands(app, invocation);
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
  set_up_log(quiet, invocation.verbose);
  return invocation.action();
}

}  // namespace

int main(int argc, char** argv) {
  return pnsim::run_program("experiment", [&] { return run(argc, argv); });
}
