#include "simulator/cli/sweep_input.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "simulator/base/data_files.h"
#include "simulator/base/hash.h"
#include "simulator/cli/input.h"

namespace pnsim {
namespace {

// The values of this text axis; without such an axis the name from the flag or the model, if any.
std::vector<std::string> names_on(const std::vector<Axis>& axes, const std::string& axis,
                                  const std::string& flag, const std::string& otherwise) {
  const auto it =
      std::find_if(axes.begin(), axes.end(), [&](const Axis& a) { return a.name == axis; });
  if (it != axes.end() && !flag.empty()) {
    fail_usage("\"" + axis + "\" is an axis and given with --" + axis + ": remove one of them");
  }
  if (it != axes.end()) return it->values;
  const std::string& name = flag.empty() ? otherwise : flag;
  return name.empty() ? std::vector<std::string>{} : std::vector{name};
}

class Loader {
 public:
  Loader(const InputOptions& options, const std::vector<Axis>& axes)
      : options_(options), axes_(axes), found_(find_input(options.input)) {}

  SweepInput load() {
    out_.input = options_.input;
    out_.until = options_.until;
    refuse_pipe(found_.path);
    note(found_.path);
    switch (found_.kind) {
      case InputKind::kNet:
        load_net();
        break;
      case InputKind::kTemplate:
        load_template();
        break;
      case InputKind::kKernelModel:
        load_model();
        break;
      case InputKind::kDevice:
        fail_usage(found_.path + " is a device, not a net or kernel model");
    }
    out_.content = hash_id(content_);
    return std::move(out_);
  }

 private:
  void note(const std::string& path) { content_ += hash_id(read_file(path)) + "|"; }

  void load_net() { out_.net = load_net_input(options_, found_).net; }

  void load_template() {
    load_net_input(options_, found_);  // reports errors in the flags
    out_.templates.push_back(load_net_template(found_.path));
    const Settings settings = parse_settings(options_.set);
    out_.parameters = settings.values;
    out_.factors = settings.factors;
    load_devices("");
  }

  void load_model() {
    InputOptions one = options_;  // with the first net and device of the axes
    const auto nets = names_on(axes_, "net", options_.net,
                               read_kernel_model(JsonReader(found_.json, found_.path)).net);
    one.net = nets.front();
    const std::unique_ptr<ModelInput> input = load_model_input(one, found_);
    for (const std::string& name : nets) {
      const std::string path = find_data_file(name, {"models/nets"});
      note(path);
      out_.templates.push_back(load_net_template(path));
    }
    out_.problem = input->point->problem;
    out_.parameters = input->net_parameters;
    out_.factors = input->factors;
    load_devices(input->model.device);
    split_problem();
    out_.model = std::move(input->model);
  }

  // Uses only the values of --set, because the other axes may be swept.
  void split_problem() {
    const Settings given = parse_settings(options_.set);
    std::erase_if(out_.problem, [&](const auto& axis) {
      return !given.values.contains(axis.first) && !given.factors.contains(axis.first);
    });
  }

  void load_devices(const std::string& otherwise) {
    for (const std::string& name : names_on(axes_, "device", options_.device, otherwise)) {
      note(find_data_file(name, {"models/devices"}));
      out_.devices.push_back(load_device_profile(name));
      const DeviceProfile& device = out_.devices.back();
      warn_of_borrowed_name(device);
      if (!device.estimate.empty()) spdlog::warn("device {}: {}", device.name, device.described());
    }
  }

  const InputOptions& options_;
  const std::vector<Axis>& axes_;
  FoundInput found_;
  SweepInput out_;
  std::string content_;
};

}  // namespace

SweepInput load_sweep_input(const InputOptions& options, const std::vector<Axis>& axes) {
  return Loader(options, axes).load();
}

}  // namespace pnsim
