// What INPUT names: a net file, a net template or a kernel model.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>

#include "simulator/cli/options.h"
#include "simulator/cli/shared_inputs.h"
#include "simulator/model/launch/kernel_model.h"
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

// A folder as given, where no file is found under that name.
bool is_folder(const std::string& input);

// The *.json of a folder, in the order of their names; without hidden ones, as for the shell. Error
// 3 when there are none.
std::vector<std::string> json_files_in(const std::string& folder);

// The kernel model in this very file. Error 3 for a file of another kind.
FoundInput kernel_model_at(const std::string& path);

// Error 2 where one of the outputs (--json=FILE ...; "" for none) is the input, the net or the
// device, under whatever name, or a shipped file.
void refuse_outputs_over_inputs(const InputOptions& options,
                                const std::vector<std::string>& outputs);

// The same of these files of a folder; and for one that would be among them the next time.
void refuse_outputs_over_folder(const InputOptions& options, const std::vector<std::string>& files,
                                const std::vector<std::string>& outputs);

// A net ready to run, from a file or a template.
struct NetInput {
  Net net;
  ParameterValues parameters;               // of the template, as used; empty for a file
  std::optional<NetTemplate> net_template;  // nothing for a file
};

// Error 2 when the input is a kernel model or a device, for --set on a plain net, and for an
// --until that names no place.
NetInput load_net_input(const InputOptions& options);
NetInput load_net_input(const InputOptions& options, const FoundInput& found);

// A kernel model with the net, device and point the flags pick.
struct ModelInput {
  KernelModel model;
  std::shared_ptr<const NetTemplate> net_template;
  std::shared_ptr<const DeviceProfile> device;
  const RecordedPoint* point = nullptr;  // of `model`
  ParameterValues net_parameters;        // of --set, those of the net
};

// `model` outlives the pointer in it: the result is not copied.
std::unique_ptr<ModelInput> load_model_input(const InputOptions& options, const FoundInput& found);
std::unique_ptr<ModelInput> load_model_input(const InputOptions& options, const FoundInput& found,
                                             SharedInputs& shared);

}  // namespace pnsim
