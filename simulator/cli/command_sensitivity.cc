// pnsim sensitivity: how the steps change with each number of the net.
#include "simulator/analysis/sensitivity.h"
#include "simulator/base/error.h"
#include "simulator/cli/commands.h"
#include "simulator/cli/sweep_input.h"

namespace pnsim {
namespace {

constexpr std::uint32_t kDefaultReplicas = 20;

struct SensitivityCommand {
  InputOptions input;
  RunFlags flags;
  double relative_step = 0.1;
  OutputOptions output;
};

ExitCode run(const SensitivityCommand& command) {
  PointOptions options = command.flags.point_options();
  if (options.stopping) fail_usage("--rel-error: the runs are compared replica by replica; give "
                                   "--replicas");
  const SensitivityReport report =
      sensitivity(load_sweep_input(command.input, {}), options.run, command.relative_step);
  write_output(command.output, {text_of(report), to_json(report).dump(2) + "\n", csv_of(report)});
  return report.outcome == Outcome::kLimit ? ExitCode::kLimit : ExitCode::kOk;
}

}  // namespace

void add_sensitivity_command(CLI::App& app, Action& action) {
  auto command = std::make_shared<SensitivityCommand>();
  command->flags.run.replicas = kDefaultReplicas;
  CLI::App* sub = app.add_subcommand("sensitivity", "how the steps change with each parameter");
  sub->add_option("INPUT", command->input.input, "net template or kernel model")->required();
  add_input_flags(*sub, command->input);
  add_run_flags(*sub, command->flags);
  sub->add_option("--by", command->relative_step, "each parameter is moved by this share of it")
      ->check(CLI::Range(1e-6, 1.0))
      ->capture_default_str();
  add_output_flags(*sub, command->output);
  sub->callback([command, &action] { action = [command] { return run(*command); }; });
}

}  // namespace pnsim
