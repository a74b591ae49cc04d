#include "simulator/cli/input.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>

#include "simulator/analysis/predict/predict.h"
#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/base/extension.h"
#include "simulator/base/nearest.h"
#include "simulator/base/output_file.h"
#include "simulator/base/process.h"
#include "simulator/cli/other_files.h"

namespace pnsim {

namespace fs = std::filesystem;

void refuse_pipe(const std::string& path) {
  std::error_code none;
  if (!fs::is_fifo(path, none) && !fs::is_character_file(path, none)) return;
  fail_input(path, "found a pipe, expected a file: it is read more than once");
}

namespace {

const std::vector<std::string> kFolders{"models", "models/nets", "models/devices"};

bool is_no_folder(const std::string& path) {
  std::error_code none;
  return fs::exists(path, none) && !fs::is_directory(path, none);
}

void refuse_outputs_over(const std::vector<std::string>& inputs,
                         const std::vector<std::string>& outputs) {
  for (const std::string& input : inputs) note_input(input);
  check_output_files(outputs);
  check_output_folders(outputs);
}

InputKind kind_of(const InputJson& json, const std::string& path) {
  const std::string kind = JsonReader(json, path).at("kind").string();
  if (kind == "net") return InputKind::kNet;
  if (kind == "net-template") return InputKind::kTemplate;
  if (kind == "kernel-model") return InputKind::kKernelModel;
  if (kind == "device") return InputKind::kDevice;
  const std::vector<std::string> known{"net", "net-template", "kernel-model", "device"};
  JsonReader(json, path).at("kind").fail("unknown kind \"" + kind + "\"" + suggestion(kind, known));
}

NetInput load_plain_net(const InputOptions& options, const FoundInput& found) {
  if (!options.set.empty()) {
    fail_usage("--set: " + found.path +
               " is a net without parameters; only templates and kernel models "
               "have some");
  }
  LoadedNet loaded =
      found.text.empty() ? load_net_file(found.path) : read_net_text(found.text, found.path);
  if (options.until.empty()) return {std::move(loaded.net), {}, {}};
  return {loaded.net.with_goal(parse_goal(loaded, options.until)), {}, {}};
}

NetInput load_from_template(const InputOptions& options, const std::string& path) {
  const NetTemplate net_template = load_net_template(path);
  ParameterValues overrides;
  if (!options.device.empty()) {
    overrides = device_parameters(net_template, load_device_profile(options.device));
  }
  const Settings settings = parse_settings(options.set);
  for (const auto& [name, values] : settings.values) overrides[name] = values;
  multiply_parameters(net_template, settings.factors, overrides);
  NetInput out{instantiate(net_template, overrides), resolve_parameters(net_template, overrides),
               net_template};
  if (!options.until.empty()) out.net = out.net.with_goal(parse_goal(out.net, options.until));
  return out;
}

// An input whose name does not say what it is: JSON begins with a brace.
FoundInput find_by_content(const std::string& path) {
  std::string text = read_file(path);
  const std::size_t start = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (start == std::string::npos || text[start] != '{') {
    return {path, InputKind::kNet, {}, std::move(text)};
  }
  InputJson json = parse_net_json(text, path);
  const InputKind kind = kind_of(json, path);
  if (kind == InputKind::kKernelModel) return {path, kind, std::move(json)};
  if (kind == InputKind::kNet) return {path, kind, {}, std::move(text)};
  refuse_pipe(path);
  return {path, kind};
}

}  // namespace

FoundInput find_input(const std::string& input) {
  const std::string path = find_data_file(input, kFolders);
  if (path != input) spdlog::info("using {}", path);
  refuse_other_files(path);
  if (has_extension(path, ".pnml") || has_extension(path, ".xml")) return {path, InputKind::kNet};
  if (!has_extension(path, ".json")) return find_by_content(path);
  refuse_pipe(path);
  InputJson json = load_json(path);
  const InputKind kind = kind_of(json, path);
  if (kind != InputKind::kKernelModel) return {path, kind};
  return {path, kind, std::move(json)};
}

InputKind kind_of_input(const std::string& input) {
  const std::string path = find_data_file(input, kFolders);
  return has_extension(path, ".json") ? kind_of(load_json(path), path) : InputKind::kNet;
}

FoundInput kernel_model_at(const std::string& path) {
  refuse_pipe(path);
  InputJson json = load_json(path);
  const JsonReader kind = JsonReader(json, path).at("kind");
  if (kind_of(json, path) != InputKind::kKernelModel) kind.fail_expected("\"kernel-model\"");
  return {path, InputKind::kKernelModel, std::move(json)};
}

bool is_folder(const std::string& input) {
  std::error_code none;
  if (!fs::is_directory(input, none)) return false;
  const std::vector<std::string> paths = candidate_paths(input, kFolders);
  return std::none_of(paths.begin(), paths.end(), is_no_folder);
}

std::vector<std::string> json_files_in(const std::string& folder) {
  FilesOfFolder files = files_of_folder(folder, ".json", "a folder of kernel models");
  if (files.paths.empty()) {
    fail_input(folder, "found a directory with no .json file among " +
                           std::to_string(files.others) +
                           " entries, expected kernel models, as `pnsim derive` writes them");
  }
  return std::move(files.paths);
}

namespace {

void refuse_outputs_over_choices(const InputOptions& options,
                                 const std::vector<std::string>& outputs) {
  std::vector<std::string> chosen;
  if (!options.net.empty()) chosen.push_back(find_data_file(options.net, {"models/nets"}));
  if (!options.device.empty()) chosen.push_back(find_data_file(options.device, {"models/devices"}));
  refuse_outputs_over(chosen, outputs);
}

}  // namespace

void refuse_outputs_over_inputs(const InputOptions& options,
                                const std::vector<std::string>& outputs) {
  refuse_outputs_over({find_data_file(options.input, kFolders)}, outputs);
  refuse_outputs_over_choices(options, outputs);
}

void refuse_outputs_over_folder(const InputOptions& options, const std::vector<std::string>& files,
                                const std::vector<std::string>& outputs) {
  refuse_outputs_over(files, outputs);
  refuse_outputs_over_choices(options, outputs);
  for (const std::string& output : outputs) {
    std::error_code none;
    const fs::path path(output);
    const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (!has_extension(output, ".json") || !fs::equivalent(parent, options.input, none)) continue;
    fail_usage("the output " + output + " would be one of the folder's models: name another file");
  }
}

NetInput load_net_input(const InputOptions& options) {
  return load_net_input(options, find_input(options.input));
}

NetInput load_net_input(const InputOptions& options, const FoundInput& found) {
  if (!options.net.empty()) fail_usage("--net needs a kernel model (--model)");
  if (found.kind == InputKind::kNet) return load_plain_net(options, found);
  if (found.kind == InputKind::kTemplate) return load_from_template(options, found.path);
  if (found.kind == InputKind::kDevice) {
    fail_usage(found.path + " is a device profile, not a net: pnsim --model MODEL --device " +
               shell_line({options.input}));
  }
  fail_usage(found.path + " is not a net or a net template");
}

}  // namespace pnsim
