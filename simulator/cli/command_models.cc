// pnsim models: lists the shipped models, nets and devices.
#include "simulator/base/data_files.h"
#include "simulator/base/output.h"
#include "simulator/base/table.h"
#include "simulator/cli/commands.h"
#include "simulator/cli/input.h"

namespace pnsim {
namespace {

std::string kernel_models_text() {
  TextTable table({"kernel model", "points", "default", "net", "device"});
  for (const std::string& name : shipped_names("models")) {
    const KernelModel model = load_kernel_model(data_root() + "/models/" + name + ".json");
    table.add_row({name, std::to_string(model.points.size()), problem_text(model.problem),
                   model.net, model.device});
  }
  return table.text();
}

std::string nets_text() {
  TextTable table({"net template", "parameters", "what it is"});
  for (const std::string& name : shipped_names("models/nets")) {
    const NetTemplate net = load_net_template(data_root() + "/models/nets/" + name + ".json");
    std::string parameters;
    for (const std::string& p : net.parameter_names())
      parameters += (parameters.empty() ? "" : " ") + p;
    table.add_row({name, parameters, net.description});
  }
  return table.text();
}

std::string devices_text() {
  TextTable table({"device", "title", "facts"});
  for (const std::string& name : shipped_names("models/devices")) {
    const DeviceProfile device = load_device_profile(name);
    table.add_row({name, device.title, std::to_string(device.facts.size())});
  }
  return table.text();
}

}  // namespace

void add_models_command(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("models", "list the shipped models, nets and devices");
  sub->callback([&action] {
    action = [] {
      write_text("in " + data_root() + "/models\n\n" + kernel_models_text() + "\n" + nets_text() +
                 "\n" + devices_text());
      return ExitCode::kOk;
    };
  });
}

}  // namespace pnsim
