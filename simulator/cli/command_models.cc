// pnsim models: lists the shipped models, nets and devices.
#include <spdlog/spdlog.h>

#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/base/output.h"
#include "simulator/base/table.h"
#include "simulator/cli/commands.h"
#include "simulator/cli/input.h"
#include "simulator/model/device/device_names.h"

namespace pnsim {
namespace {

// A file that cannot be read costs its row.
template <class AddRow>
void or_skip(AddRow add_row) {
  try {
    add_row();
  } catch (const Error& error) {
    spdlog::warn("skipped: {}", error.what());
  }
}

std::string kernel_models_text() {
  TextTable table({"kernel model", "points", "default", "net", "device", "what it does"});
  for (const std::string& name : shipped_names("models")) {
    or_skip([&] {
      const KernelModel model = load_kernel_model(data_root() + "/models/" + name + ".json");
      table.add_row({name, std::to_string(model.points.size()), problem_text(model.problem),
                     model.net, model.device, model.description});
    });
  }
  return table.text();
}

std::string nets_text() {
  TextTable table({"net template", "parameters", "what it is"});
  for (const std::string& name : shipped_names("models/nets")) {
    or_skip([&] {
      const NetTemplate net = load_net_template(data_root() + "/models/nets/" + name + ".json");
      std::string parameters;
      for (const std::string& p : net.parameter_names())
        parameters += (parameters.empty() ? "" : " ") + p;
      table.add_row({name, parameters, net.description});
    });
  }
  return table.text();
}

std::string devices_text() {
  TextTable table({"device", "title", "facts"});
  const ShippedDevices shipped = shipped_devices();
  for (std::size_t i = 0; i < shipped.names.size(); ++i) {
    table.add_row({shipped.names[i], shipped.profiles[i].title,
                   std::to_string(shipped.profiles[i].facts.size())});
  }
  for (const std::string& fault : shipped.faults) spdlog::warn("skipped: {}", fault);
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
