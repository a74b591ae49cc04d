#include "simulator/cli/input.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>

#include "simulator/analysis/predict.h"
#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/base/nearest.h"

namespace pnsim {
namespace {

const std::vector<std::string> kFolders{"models", "models/nets", "models/devices"};

InputKind kind_of(const InputJson& json, const std::string& path) {
  const std::string kind = JsonReader(json, path).at("kind").string();
  if (kind == "net") return InputKind::kNet;
  if (kind == "net-template") return InputKind::kTemplate;
  if (kind == "kernel-model") return InputKind::kKernelModel;
  if (kind == "device") return InputKind::kDevice;
  const std::vector<std::string> known{"net", "net-template", "kernel-model", "device"};
  JsonReader(json, path).at("kind").fail("unknown kind \"" + kind + "\"" + suggestion(kind, known));
}

NetInput load_plain_net(const InputOptions& options, const std::string& path) {
  if (!options.set.empty()) {
    fail_usage("--set: " + path + " is a net without parameters; only templates and kernel models "
               "have some");
  }
  LoadedNet loaded = load_net_file(path);
  if (options.until.empty()) return {std::move(loaded.net), {}, {}};
  return {loaded.net.with_goal(parse_goal(loaded, options.until)), {}, {}};
}

NetInput load_from_template(const InputOptions& options, const std::string& path) {
  const NetTemplate net_template = load_net_template(path);
  ParameterValues overrides;
  if (!options.device.empty()) {
    overrides = device_parameters(net_template, load_device_profile(options.device));
  }
  for (const auto& [name, values] : parse_settings(options.set)) overrides[name] = values;
  NetInput out{instantiate(net_template, overrides), resolve_parameters(net_template, overrides),
               net_template};
  if (!options.until.empty()) out.net = out.net.with_goal(parse_goal(out.net, options.until));
  return out;
}

// Splits --set into axes of the model and parameters of the net.
void apply_settings(const std::vector<std::string>& settings, ModelInput& out) {
  Problem axes;
  for (const auto& [name, values] : parse_settings(settings)) {
    if (out.model.problem.contains(name)) {
      if (values.size() != 1) fail_usage("--set " + name + ": an axis takes one value");
      axes[name] = values[0];
    } else if (out.net_template.find_parameter(name)) {
      out.net_parameters[name] = values;
    } else {
      std::vector<std::string> known = out.model.axes();
      for (const std::string& p : out.net_template.parameter_names()) known.push_back(p);
      fail_usage("--set: neither the model " + out.model.name + " nor the net " +
                 out.net_template.name + " has \"" + name + "\"" + suggestion(name, known));
    }
  }
  out.point = &out.model.point(axes);
}

}  // namespace

FoundInput find_input(const std::string& input) {
  const std::string path = find_data_file(input, kFolders);
  if (path != input) spdlog::info("using {}", path);
  if (!path.ends_with(".json")) return {path, InputKind::kNet};  // PNML; others are refused
  InputJson json = load_json(path);
  const InputKind kind = kind_of(json, path);
  if (kind != InputKind::kKernelModel) return {path, kind};
  return {path, kind, std::move(json)};
}

void refuse_outputs_over_inputs(const InputOptions& options, const std::vector<std::string>& outputs) {
  for (const std::string& input : {find_data_file(options.input, kFolders), options.net, options.device}) {
    for (const std::string& output : outputs) {
      std::error_code none;  // one of them is no file: they are not the same
      if (!std::filesystem::equivalent(output, input, none) || !std::filesystem::is_regular_file(input, none)) continue;
      fail_usage("the output " + output + " is an input: name another file");
    }
  }
}

NetInput load_net_input(const InputOptions& options) {
  return load_net_input(options, find_input(options.input));
}

NetInput load_net_input(const InputOptions& options, const FoundInput& found) {
  if (!options.net.empty()) fail_usage("--net goes with a kernel model (--model)");
  if (found.kind == InputKind::kNet) return load_plain_net(options, found.path);
  if (found.kind == InputKind::kTemplate) return load_from_template(options, found.path);
  fail_usage(found.path + " is not a net or a net template");
}

NetTemplate load_template_by_name(const std::string& name_or_path) {
  return load_net_template(find_data_file(name_or_path, {"models/nets"}));
}

std::unique_ptr<ModelInput> load_model_input(const InputOptions& options, const FoundInput& found) {
  if (found.kind != InputKind::kKernelModel) fail_usage(found.path + " is not a kernel model");
  if (!options.until.empty()) fail_usage("--until goes with a net, not with a kernel model");
  auto out = std::make_unique<ModelInput>();
  out->model = read_kernel_model(JsonReader(found.json, found.path));
  out->net_template = load_template_by_name(options.net.empty() ? out->model.net : options.net);
  out->device = load_device_profile(options.device.empty() ? out->model.device : options.device);
  apply_settings(options.set, *out);
  return out;
}

}  // namespace pnsim
