// pnsim run, and pnsim --model: simulate a net, a template or a kernel model.
#include "simulator/analysis/run_report.h"
#include "simulator/base/output.h"
#include "simulator/cli/commands.h"
#include "simulator/cli/input.h"
#include "simulator/cli/trace.h"

namespace pnsim {
namespace {

struct RunCommand {
  InputOptions input;
  std::string model;
  RunOptions run;
  std::string engine = "auto";
  OutputOptions output;
  CLI::Option* stream = nullptr;
};

// A dead marking is an end where no goal is declared.
ExitCode exit_code(Outcome outcome, bool has_goal) {
  if (outcome == Outcome::kLimit) return ExitCode::kLimit;
  return outcome == Outcome::kDead && has_goal ? ExitCode::kCheckFailed : ExitCode::kOk;
}

void write_trace(const RunCommand& command, const Net& net) {
  if (command.output.trace.empty()) return;
  if (!command.output.trace.ends_with(".jsonl") && command.output.trace != "-") {
    fail_usage("--trace " + command.output.trace + ": expected a file name that ends in .jsonl");
  }
  const RunId id{command.run.seed, command.run.first_replica, command.run.stream};
  const std::string text = trace_text(net, id, command.run.max_steps);
  if (command.output.trace == "-") return write_stdout(text);
  write_file_whole(command.output.trace, text);
}

ExitCode run_net(const RunCommand& command, const FoundInput& found) {
  const NetInput input = load_net_input(command.input, found);
  write_trace(command, input.net);
  NetRunReport report;
  report.net = &input.net;
  report.input = command.input.input;
  report.parameters = input.parameters;
  report.options = command.run;
  report.result = run_replicas(input.net, command.run);
  if (command.output.trace != "-") {
    write_output(command.output,
                 {text_of(report), to_json(report).dump(2) + "\n", csv_of(report)});
  }
  return exit_code(report.result.outcome, input.net.has_goal());
}

ExitCode run_model(const RunCommand& command, const FoundInput& found) {
  if (!command.output.trace.empty()) {
    fail_usage("--trace goes with a net; `pnsim run wpnm --set ... --trace FILE.jsonl` traces one");
  }
  if (command.stream->count() > 0) {
    fail_usage("--stream: the launches of a kernel model have their own streams");
  }
  const std::unique_ptr<ModelInput> input = load_model_input(command.input, found);
  PointRequest request{&input->model, &input->net_template, &input->device, input->point, {}};
  const ParameterValues own = net_parameters(request);
  request.net_parameters = input->net_parameters;
  ModelRunReport report;
  report.model = &input->model;
  report.device = &input->device;
  report.net = input->net_template.name;
  report.options = command.run;
  report.prediction = predict({request}, command.run).front();
  const RecordedResults recorded(input->device.name);
  // The scale was fitted for the net's own parameters: it says nothing about others.
  if (report.prediction.net_parameters == own) report.scale = recorded.scale(report.net, own);
  report.measured = recorded.time(input->model.name, input->point->problem);
  write_output(command.output, {text_of(report), to_json(report).dump(2) + "\n", csv_of(report)});
  return exit_code(report.prediction.outcome, !input->net_template.until.empty());
}

ExitCode run(RunCommand command) {
  if (command.input.input.empty() == command.model.empty()) {
    fail_usage("expected one input: pnsim run INPUT, or pnsim --model FILE|NAME");
  }
  if (command.input.input.empty()) command.input.input = command.model;
  command.run.engine = parse_engine(command.engine);
  command.run.log_conflicts = true;
  const FoundInput found = find_input(command.input.input);
  return found.kind == InputKind::kKernelModel ? run_model(command, found)
                                               : run_net(command, found);
}

}  // namespace

void add_run_command(CLI::App& app, Action& action) {
  auto command = std::make_shared<RunCommand>();
  CLI::App* sub = app.add_subcommand("run", "simulate a net, a net template or a kernel model");
  sub->add_option("INPUT", command->input.input, "net (.json, .pnml), template or kernel model");
  sub->add_option("--model", command->model, "kernel model, by name or file");
  add_input_flags(*sub, command->input);
  add_run_flags(*sub, command->run, command->engine);
  command->stream = sub->add_option("--stream", command->run.stream, "stream of the draws");
  add_output_flags(*sub, command->output);
  sub->add_option("--trace", command->output.trace, "FILE.jsonl: one line a step, or - for stdout");
  sub->callback([command, &action] { action = [command] { return run(*command); }; });
}

}  // namespace pnsim
