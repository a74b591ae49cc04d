// pnsim sensitivity: the change of the steps with each number of the net.
#include <spdlog/spdlog.h>

#include "simulator/analysis/predict/run_point.h"
#include "simulator/analysis/questions/sensitivity.h"
#include "simulator/analysis/questions/what_if.h"
#include "simulator/base/error.h"
#include "simulator/cli/commands.h"
#include "simulator/cli/input.h"
#include "simulator/cli/sweep_input.h"
#include "simulator/model/sm/sm_parameters.h"

namespace pnsim {
namespace {

// The bounds without --replicas. Runs of a net that walks programs vary little.
constexpr ReplicaRule kForNets{20, 640}, kForPrograms{4, 64};

struct SensitivityCommand {
  InputOptions input;
  RunFlags flags;
  double relative_step = 0.1;
  OutputOptions output;
};

bool has_goal(const SweepInput& input) {
  return !input.until.empty() || !input.templates.at(0).until.empty();
}

// --replicas N is a fixed number.
ReplicaRule rule_of(const SensitivityCommand& command, const ReplicaRule& otherwise) {
  if (command.flags.replicas_flag->count() == 0) return otherwise;
  return {command.flags.run.replicas, command.flags.run.replicas};
}

// A net that executes programs has few parameters of its own. So this changes the device's facts
// and the programs instead.
ExitCode run_what_if(const SensitivityCommand& command, const SweepInput& input,
                     const RunOptions& run) {
  const PointRequest request{&*input.model,
                             &input.templates.at(0),
                             &input.devices.at(0),
                             &input.model->point(input.problem),
                             input.parameters,
                             {},
                             {},
                             input.factors};
  const WhatIfReport report = what_if(request, run, rule_of(command, kForPrograms));
  write_output(command.output,
               {text_of(report), json_text(command.output, [&] { return to_json(report); }),
                csv_of(report)});
  warn_of_outcome(report.outcome, has_goal(input));
  return exit_code_of(report.outcome, has_goal(input));
}

// Without --net, which net was taken and what the other one shows.
void note_net(const SensitivityCommand& command, const SweepInput& input) {
  if (!command.input.net.empty() || !input.model) return;
  const NetTemplate& net = input.templates.at(0);
  const bool is_sm = walks_programs(net);
  if (!is_sm && !has_programs(input.model->point(input.problem))) return;
  spdlog::info("note: net {}, which the model names; {}", net.name,
               is_sm
                   ? "--net wpnm shows how the steps of the paper's net change with l1, l2, S and "
                     "the counts"
                   : "--net sm shows which change of the device or the code would save time");
}

ExitCode run(const SensitivityCommand& command) {
  PointOptions options = command.flags.point_options();
  if (options.stopping)
    fail_usage(
        "--rel-error: the runs are compared replica by replica; give "
        "--replicas");
  refuse_outputs_over_inputs(command.input, {command.output.json, command.output.csv});
  const SweepInput input = load_sweep_input(command.input, {});
  note_net(command, input);
  const bool is_what_if = input.model && walks_programs(input.templates.at(0));
  if (is_what_if) return run_what_if(command, input, options.run);
  const SensitivityReport report =
      sensitivity(input, options.run, rule_of(command, kForNets), command.relative_step);
  write_output(command.output,
               {text_of(report), json_text(command.output, [&] { return to_json(report); }),
                csv_of(report)});
  warn_of_outcome(report.outcome, has_goal(input));
  return exit_code_of(report.outcome, has_goal(input));
}

}  // namespace

void add_sensitivity_command(CLI::App& app, Action& action) {
  auto command = std::make_shared<SensitivityCommand>();
  CLI::App* sub = app.add_subcommand(
      "sensitivity", "sensitivity of the steps to each parameter, or what-if predictions");
  sub->add_option("INPUT,--model", command->input.input, "net template or kernel model")
      ->required();
  add_input_flags(*sub, command->input);
  add_run_flags(*sub, command->flags);
  sub->add_option("--by", command->relative_step, "relative change of each parameter")
      ->check(share_of(1e-6))
      ->capture_default_str();
  add_output_flags(*sub, command->output);
  sub->callback([command, &action] { action = [command] { return run(*command); }; });
}

}  // namespace pnsim
