// pnsim run, and pnsim --model: simulates a net, a template or a kernel model.
#include <spdlog/spdlog.h>

#include <filesystem>
#include <optional>

#include "simulator/analysis/predict/run_point.h"
#include "simulator/base/output.h"
#include "simulator/base/process.h"
#include "simulator/base/table.h"
#include "simulator/cli/commands.h"
#include "simulator/cli/input.h"
#include "simulator/cli/model_trace.h"
#include "simulator/cli/run_folder.h"
#include "simulator/cli/run_model.h"
#include "simulator/cli/trace.h"
#include "simulator/model/template/unit_states_of.h"

namespace pnsim {
namespace {

constexpr const char* kFileOrder = "file";

struct RunCommand {
  InputOptions input;
  std::string model;
  RunFlags flags;
  OutputOptions output;
  TraceOptions trace;
  CLI::Option* stream = nullptr;
  bool reasons = false;
  bool cold = false;
  std::string sort = kFileOrder;  // of a folder
  std::size_t top = 0;            // models of a folder that are shown; 0: all
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

// Made before the run, so that what they refuse is refused at once.
std::optional<Traces> traces_of(const RunCommand& command, const NetInput& input) {
  if (!command.trace.is_wanted()) return std::nullopt;
  const RunOptions& run = command.flags.run;
  TracedRun traced;
  traced.net = &input.net;
  if (input.net_template) traced.net_template = &*input.net_template;
  traced.values = &input.parameters;
  traced.id = {run.seed, run.first_replica, run.stream};
  traced.max_steps = run.max_steps;
  return Traces(command.trace, traced);
}

std::string example_of_goal(const Net& net) {
  return "--until \"" + std::string(net.group_of(PlaceId{0})) + "=0\"";
}

void say_how_it_ends(const Net& net, std::uint64_t max_steps) {
  if (net.has_goal() || net.place_count() == 0) return;
  // Such a run may take hours up to the limit, so it is a warning, which -q does not suppress.
  spdlog::warn(
      "warning: net {} has no goal: it ends when nothing is enabled, when its marking can no "
      "longer change, "
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

void refuse_two_on_stdout(const RunCommand& command) {
  if (command.trace.trace == "-" && (command.output.json == "-" || command.output.csv == "-")) {
    fail_usage("--trace - and --json or --csv cannot both go to stdout: give one of them a file");
  }
}

ExitCode run_net(const RunCommand& command, const FoundInput& found) {
  if (command.cold) fail_usage("--cold needs a kernel model");
  refuse_two_on_stdout(command);
  const NetInput input = load_net_input(command.input, found);
  check_traces(command.trace);
  if (command.trace.launch != 0) fail_usage("--launch needs a kernel model");
  say_how_it_ends(input.net, command.flags.run.max_steps);
  std::optional<Traces> traces = traces_of(command, input);
  const std::vector<UnitStates> units = units_of(command, input);
  PointOptions options = point_options(command);
  options.run.units = units;
  NetRunReport report = run_net_point(input.net, command.input.input, input.parameters, options);
  if (command.reasons) add_reasons(*input.net_template, report);
  if (traces) traces->write(report.result.runs.front().outcome);
  const std::string text = command.trace.trace == "-" ? "" : text_of(report);
  write_output(command.output,
               {text, json_text(command.output, [&] { return to_json(report); }), csv_of(report)});
  warn_of_end(report);
  return exit_code_of(report);
}

// The options that apply to kernel models; the others apply to nets only.
ModelRunOptions model_options(const RunCommand& command) {
  if (command.stream->count() > 0) {
    fail_usage(
        "--stream: the launches of a kernel model have their own streams; remove the option");
  }
  return {command.input, point_options(command), command.cold};
}

ExitCode run_model(const RunCommand& command, const FoundInput& found) {
  refuse_two_on_stdout(command);
  check_model_traces(command.trace);
  SharedInputs shared;
  const ModelRun run = run_model(model_options(command), found, shared);
  if (command.trace.is_wanted()) write_model_traces(command.trace, run, command.flags.run);
  const bool has_lines = command.trace.trace == "-";
  write_output(command.output, {has_lines ? "" : text_of(run.report),
                                json_text(command.output, [&] { return to_json(run.report); }),
                                csv_of(run.report)});
  const bool shows_text = !has_lines && command.output.json != "-" && command.output.csv != "-";
  if (!shows_text && !run.report.not_run.empty()) spdlog::info(run.report.not_run);
  for (const PredictionWarning& warning : believed(run.report).warnings) {
    if (!shows_text) spdlog::warn("{}: {}", warning.kind, warning.text);
  }
  warn_of_outcome(run.worst_end, true);
  return run.code;
}

// "h200,h100" is for compare.
void refuse_several_devices(const InputOptions& input) {
  std::error_code none;
  if (input.device.find(',') == std::string::npos) return;
  if (std::filesystem::exists(input.device, none)) return;
  fail_usage("--device " + input.device +
             ": expected one device; for the times on several: pnsim compare " +
             shell_line({input.input}) + " --device " + shell_line({input.device}));
}

ExitCode run(RunCommand command) {
  if (command.input.input.empty() && command.model.empty()) {
    fail_usage(
        "expected an input: pnsim --model FILE|NAME|FOLDER, or pnsim run INPUT for a net; for "
        "example: pnsim --model norm_group");
  }
  if (command.input.input.empty()) command.input.input = command.model;
  refuse_several_devices(command.input);
  const std::vector<std::string> outputs{command.output.json, command.output.csv,
                                         command.trace.trace, command.trace.timeline};
  if (!command.model.empty() && is_folder(command.model)) {
    if (command.trace.is_wanted()) {
      fail_usage("--trace and --timeline need one model, and " + command.model + " is a folder");
    }
    const FolderView view{parse_folder_order(command.sort), command.top};
    return run_folder(model_options(command), view, command.output, outputs);
  }
  if (command.sort != kFileOrder || command.top > 0) {
    fail_usage("--sort and --top need a folder of models, as in: pnsim --model FOLDER --sort time");
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
  CLI::Option* input = sub->add_option("INPUT", command->input.input,
                                       "net (.json, .pnml), template or kernel model");
  sub->add_option("--model", command->model, "kernel model, by name or file; or a folder of them")
      ->excludes(input);
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
  sub->add_option("--sort", command->sort,
                  "order of a folder's models: file, time (most time first) or error (the largest "
                  "first, against the measured or else the profiled time)")
      ->capture_default_str();
  sub->add_option("--top", command->top, "show only the first N models of a folder")
      ->option_text("N")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
  command->stream = sub->add_option("--stream", flags.run.stream, "random stream");
  add_output_flags(*sub, command->output);
  sub->add_option(
      "--trace", command->trace.trace,
      "FILE.jsonl: one line per step (- is stdout); FILE.json: Chrome trace, for Perfetto");
  sub->add_option("--timeline", command->trace.timeline,
                  "FILE.svg: warps, schedulers and units of an SM over steps");
  sub->add_option("--trace-steps", command->trace.steps,
                  "FIRST:LAST: these steps only, instead of the default window");
  sub->add_option(
         "--launch", command->trace.launch,
         "the launch of a kernel model that is traced, from 1; by default the one with the "
         "most predicted steps")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
  sub->callback([command, &action] { action = [command] { return run(*command); }; });
}

}  // namespace pnsim
