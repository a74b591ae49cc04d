// pnsim run, and pnsim --model: simulates a net, a template or a kernel model.
#include <spdlog/spdlog.h>

#include "simulator/analysis/predict/run_point.h"
#include "simulator/base/output.h"
#include "simulator/base/table.h"
#include "simulator/cli/commands.h"
#include "simulator/cli/input.h"
#include "simulator/cli/run_folder.h"
#include "simulator/cli/run_model.h"
#include "simulator/cli/trace.h"
#include "simulator/model/template/unit_states_of.h"

namespace pnsim {
namespace {

struct RunCommand {
  InputOptions input;
  std::string model;
  RunFlags flags;
  OutputOptions output;
  TraceOptions trace;
  CLI::Option* stream = nullptr;
  bool reasons = false;
  bool cold = false;
};

PointOptions point_options(const RunCommand& command) {
  PointOptions options = command.flags.point_options();
  options.run.log_conflicts = true;
  options.run.count_reasons = command.reasons;
  return options;
}

// The states whose steps the run must count for --reasons.
std::vector<UnitStates> units_of(const RunCommand& command, const NetInput& input) {
  if (!command.reasons) return {};
  if (!input.net_template)
    fail_usage("--reasons needs a net template with \"reasons\", such as sm");
  return unit_states_of(*input.net_template, input.parameters);
}

std::string example_of_goal(const Net& net) {
  return "--until \"" + std::string(net.group_of(PlaceId{0})) + "=0\"";
}

void say_how_it_ends(const Net& net, std::uint64_t max_steps) {
  if (net.has_goal() || net.place_count() == 0) return;
  spdlog::info(
      "net {} has no goal: it ends when nothing is enabled, when its marking can no longer change, "
      "or after {} steps; give it a goal with {} (or PLACE>=3, PLACE<2 ...)",
      net.name(), grouped(static_cast<long long>(max_steps)), example_of_goal(net));
}

// The advice of warn_of_outcome() is to raise the limit, which seldom helps without a goal.
void warn_of_end(const NetRunReport& report) {
  const Net& net = *report.net;
  if (net.has_goal() || report.result.outcome != Outcome::kLimit) {
    return warn_of_outcome(report.result.outcome, net.has_goal());
  }
  spdlog::warn(
      "warning: the run was cut off at the limit, and net {} has no goal that could end it; give "
      "it "
      "one with {}, or another limit with --max-steps N",
      net.name(), example_of_goal(net));
}

ExitCode run_net(const RunCommand& command, const FoundInput& found) {
  if (command.cold) fail_usage("--cold needs a kernel model");
  if (command.trace.trace == "-" && (command.output.json == "-" || command.output.csv == "-")) {
    fail_usage("--trace - and --json or --csv cannot both go to stdout: give one of them a file");
  }
  const NetInput input = load_net_input(command.input, found);
  const RunOptions& run = command.flags.run;
  say_how_it_ends(input.net, run.max_steps);
  write_traces(command.trace, input, {run.seed, run.first_replica, run.stream}, run.max_steps);
  const std::vector<UnitStates> units = units_of(command, input);
  PointOptions options = point_options(command);
  options.run.units = units;
  NetRunReport report = run_net_point(input.net, command.input.input, input.parameters, options);
  if (command.reasons) add_reasons(*input.net_template, report);
  const std::string text = command.trace.trace == "-" ? "" : text_of(report);
  write_output(command.output,
               {text, json_text(command.output, [&] { return to_json(report); }), csv_of(report)});
  warn_of_end(report);
  return exit_code_of(report);
}

// The options that apply to kernel models; the others apply to nets only.
ModelRunOptions model_options(const RunCommand& command) {
  if (command.trace.is_wanted()) {
    fail_usage(
        "--trace and --timeline need a net; `pnsim run wpnm --set ... --trace FILE` traces "
        "one");
  }
  if (command.stream->count() > 0) {
    fail_usage(
        "--stream: the launches of a kernel model have their own streams; remove the option");
  }
  return {command.input, point_options(command), command.cold};
}

ExitCode run_model(const RunCommand& command, const FoundInput& found) {
  SharedInputs shared;
  const ModelRun run = run_model(model_options(command), found, shared);
  write_output(command.output,
               {text_of(run.report), json_text(command.output, [&] { return to_json(run.report); }),
                csv_of(run.report)});
  const bool shows_text = command.output.json != "-" && command.output.csv != "-";
  if (!shows_text && !run.report.not_run.empty()) spdlog::info(run.report.not_run);
  warn_of_outcome(run.worst_end, true);
  return run.code;
}

ExitCode run(RunCommand command) {
  if (command.input.input.empty() == command.model.empty()) {
    fail_usage("expected one input: pnsim run INPUT, or pnsim --model FILE|NAME|FOLDER");
  }
  if (command.input.input.empty()) command.input.input = command.model;
  const std::vector<std::string> outputs{command.output.json, command.output.csv,
                                         command.trace.trace, command.trace.timeline};
  if (!command.model.empty() && is_folder(command.model)) {
    return run_folder(model_options(command), command.output, outputs);
  }
  refuse_outputs_over_inputs(command.input, outputs);
  const FoundInput found = find_input(command.input.input);
  return found.kind == InputKind::kKernelModel ? run_model(command, found)
                                               : run_net(command, found);
}

}  // namespace

void add_run_command(CLI::App& app, Action& action) {
  auto command = std::make_shared<RunCommand>();
  CLI::App* sub = app.add_subcommand("run", "simulate a net, a net template or a kernel model");
  sub->add_option("INPUT", command->input.input, "net (.json, .pnml), template or kernel model");
  sub->add_option("--model", command->model, "kernel model, by name or file; or a folder of them");
  add_input_flags(*sub, command->input);
  RunFlags& flags = command->flags;
  add_run_flags(*sub, flags);
  sub->add_option("--replica", flags.run.first_replica, "run only this replica")
      ->excludes(flags.replicas_flag)
      ->excludes(flags.rel_error_flag);
  sub->add_flag("--reasons", command->reasons,
                "breakdown of the cycles, utilisation of the units, the bottleneck");
  sub->add_flag("--cold", command->cold,
                "the first launch starts with a cold L2; needs a model with cold counts");
  command->stream = sub->add_option("--stream", flags.run.stream, "random stream");
  add_output_flags(*sub, command->output);
  sub->add_option(
      "--trace", command->trace.trace,
      "FILE.jsonl: one line per step (- is stdout); FILE.json: Chrome trace, for Perfetto");
  sub->add_option("--timeline", command->trace.timeline,
                  "FILE.svg: warps and schedulers over steps");
  sub->add_option("--trace-steps", command->trace.steps,
                  "FIRST:LAST: these steps only (--timeline: 0:199)");
  sub->callback([command, &action] { action = [command] { return run(*command); }; });
}

}  // namespace pnsim
