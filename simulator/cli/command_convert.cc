// pnsim convert: writes a net or template as .json, .pnml or .dot.
#include "simulator/cli/commands.h"
#include "simulator/cli/input.h"

namespace pnsim {

void add_convert_command(CLI::App& app, Action& action) {
  struct Convert {
    InputOptions input;
    std::string output;
  };
  auto command = std::make_shared<Convert>();
  CLI::App* sub = app.add_subcommand("convert", "write a net as .json, .pnml or .dot");
  sub->add_option("INPUT", command->input.input, "net or template")->required();
  sub->add_option("-o,--output", command->output, "file; the extension says the format")
      ->required();
  add_input_flags(*sub, command->input);
  sub->callback([command, &action] {
    action = [command] {
      refuse_outputs_over_inputs(command->input, {command->output});
      save_net_file(load_net_input(command->input).net, command->output);
      return ExitCode::kOk;
    };
  });
}

}  // namespace pnsim
