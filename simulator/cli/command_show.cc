// pnsim show: prints the content of an input in readable form.
#include "simulator/base/output.h"
#include "simulator/cli/commands.h"
#include "simulator/cli/input.h"
#include "simulator/cli/show_text.h"

namespace pnsim {
namespace {

std::string shown(const InputOptions& options) {
  const FoundInput found = find_input(options.input);
  switch (found.kind) {
    case InputKind::kNet:
      return show_net(load_net_input(options, found).net);
    case InputKind::kTemplate: {
      const NetInput input = load_net_input(options, found);
      return show_template(load_net_template(found.path), input.parameters, input.net);
    }
    case InputKind::kKernelModel: {
      const auto input = load_model_input(options, found);
      return show_model(input->model, *input->point);
    }
    case InputKind::kDevice:
      return show_device(load_device_profile(found.path));
  }
  return "";
}

}  // namespace

void add_show_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<InputOptions>();
  CLI::App* sub = app.add_subcommand("show", "places, transitions, programs, parameters");
  sub->add_option("INPUT", options->input, "net, template, kernel model or device")->required();
  add_input_flags(*sub, *options);
  sub->callback([options, &action] {
    action = [options] {
      write_text(shown(*options));
      return ExitCode::kOk;
    };
  });
}

}  // namespace pnsim
