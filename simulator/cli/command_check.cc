// pnsim check: does an input say what it must, and what is to be known of its net?
#include "simulator/analysis/check/check_net.h"
#include "simulator/base/output.h"
#include "simulator/cli/commands.h"
#include "simulator/cli/input.h"

namespace pnsim {
namespace {

struct CheckCommand {
  InputOptions input;
  std::vector<std::string> inputs;
  OutputOptions output;
};

// The text and the JSON for one input. `clean` is false when there is a warning.
struct Checked {
  std::string text;
  Json json;
  bool clean = true;
};

Checked check_one(const InputOptions& options) {
  const FoundInput found = find_input(options.input);
  if (found.kind == InputKind::kNet || found.kind == InputKind::kTemplate) {
    const NetInput input = load_net_input(options, found);
    const CheckReport report = check_net(input.net, CheckOptions{});
    return {text_of(report), to_json(report), !report.has_warnings()};
  }
  if (found.kind == InputKind::kKernelModel) {
    const KernelModel model = read_kernel_model(JsonReader(found.json, found.path));
    const std::string points = std::to_string(model.points.size());
    return {"kernel model " + model.name + ": valid, " + points + " recorded points\n",
            Json{{"model", model.name}, {"points", model.points.size()}}};
  }
  const DeviceProfile device = load_device_profile(found.path);
  return {"device " + device.name + ": valid, " + std::to_string(device.facts.size()) + " facts\n",
          Json{{"device", device.name}, {"facts", device.facts.size()}}};
}

ExitCode check(CheckCommand command) {
  std::string text;
  Json json = Json::array();
  bool clean = true;
  for (const std::string& input : command.inputs) {
    command.input.input = input;
    refuse_outputs_over_inputs(command.input, {command.output.json});
    Checked checked = check_one(command.input);
    text += (text.empty() ? "" : "\n") + checked.text;
    json.push_back(std::move(checked.json));
    clean = clean && checked.clean;
  }
  write_output(
      command.output,
      {text, json_text(command.output, [&] { return json.size() == 1 ? json[0] : json; }), ""});
  return clean ? ExitCode::kOk : ExitCode::kCheckFailed;
}

}  // namespace

void add_check_command(CLI::App& app, Action& action) {
  auto command = std::make_shared<CheckCommand>();
  CLI::App* sub =
      app.add_subcommand("check", "schema and structure; exit 1 when there are warnings");
  sub->add_option("INPUT", command->inputs, "nets, templates, kernel models, devices")->required();
  add_input_flags(*sub, command->input);
  sub->add_flag("--json{-}", command->output.json, "JSON on stdout, or --json=FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  sub->callback([command, &action] { action = [command] { return check(*command); }; });
}

}  // namespace pnsim
