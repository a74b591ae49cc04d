// What INPUT names: a net file, a net template or a kernel model.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>

#include "simulator/cli/options.h"
#include "simulator/model/device_profile.h"
#include "simulator/model/kernel_model.h"
#include "simulator/net/net_file.h"

namespace pnsim {

enum class InputKind { kNet, kTemplate, kKernelModel, kDevice };

struct FoundInput {
  std::string path;
  InputKind kind;
  InputJson json{};  // of a kernel model: what is in the file
};

// As given, then PNSIM_MODEL_PATH, then the shipped models, nets and devices. Says on stderr which
// file was taken unless it is the one given. Error 3 with the nearest name.
FoundInput find_input(const std::string& input);

// Error 2 where one of the outputs (--json=FILE ...; "" for none) is the input, the net or the device, under whatever name.
void refuse_outputs_over_inputs(const InputOptions& options, const std::vector<std::string>& outputs);

// A net ready to run, from a file or a template.
struct NetInput {
  Net net;
  ParameterValues parameters;  // of the template, as used; empty for a file
  std::optional<NetTemplate> net_template;  // nothing for a file
};

// Error 2 when the input is a kernel model or a device, for --set on a plain net, and for an
// --until that names no place.
NetInput load_net_input(const InputOptions& options);
NetInput load_net_input(const InputOptions& options, const FoundInput& found);

// A kernel model with the net, device and point the flags pick.
struct ModelInput {
  KernelModel model;
  NetTemplate net_template;
  DeviceProfile device;
  const RecordedPoint* point = nullptr;  // of `model`
  ParameterValues net_parameters;        // of --set, those of the net
};

// `model` outlives the pointer in it: the result is not copied.
std::unique_ptr<ModelInput> load_model_input(const InputOptions& options, const FoundInput& found);

// A template by name or path.
NetTemplate load_template_by_name(const std::string& name_or_path);

}  // namespace pnsim
