// Finds and loads INPUT: a net file, a net template, a kernel model or a device.
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
  InputJson json{};    // for a kernel model: the content of the file
  std::string text{};  // for a net whose name has no known extension: the same
};

// Searches the path as given, then PNSIM_MODEL_PATH, then the shipped models, nets and devices. A
// notice on stderr names the file unless it is the path as given. Where the name has no extension,
// the content says what it is: /dev/stdin and `<(...)` may be nets and kernel models. Throws error
// 3 and names the nearest input when there is none.
FoundInput find_input(const std::string& input);

// Error 3 for a pipe: it delivers its content once.
void refuse_pipe(const std::string& path);

// What `input` is, without a notice and without reading more than its kind. Error 3 as above.
InputKind kind_of_input(const std::string& input);

// Whether `input` is an existing folder and no file is found under that name.
bool is_folder(const std::string& input);

// The *.json files of a folder, sorted by name, without hidden ones (as in a shell). Throws error 3
// when there are none.
std::vector<std::string> json_files_in(const std::string& folder);

// The kernel model in this file. Throws error 3 for a file of another kind.
FoundInput kernel_model_at(const std::string& path);

// Throws error 2 when one of the outputs (--json=FILE ...; "" for none) is the same file as the
// input, the net or the device, or is a shipped file.
void refuse_outputs_over_inputs(const InputOptions& options,
                                const std::vector<std::string>& outputs);

// The same for the files of a folder. Also refuses an output that the next run would read as one of
// them.
void refuse_outputs_over_folder(const InputOptions& options, const std::vector<std::string>& files,
                                const std::vector<std::string>& outputs);

// A net that can be run, from a file or a template.
struct NetInput {
  Net net;
  ParameterValues parameters;               // template parameters in use; empty for a file
  std::optional<NetTemplate> net_template;  // absent for a file
};

// Throws error 2 when the input is a kernel model or a device, for --set on a plain net, and for an
// --until that names no place.
NetInput load_net_input(const InputOptions& options);
NetInput load_net_input(const InputOptions& options, const FoundInput& found);

// A kernel model with the net, the device and the point that the flags select.
struct ModelInput {
  KernelModel model;
  std::shared_ptr<const NetTemplate> net_template;
  std::shared_ptr<const DeviceProfile> device;
  const RecordedPoint* point = nullptr;  // points into `model`
  ParameterValues net_parameters;        // --set values of the net's parameters and of counts
  ParameterFactors factors;              // --set factors of the same
};

// Returns a pointer because `point` refers to `model`, so that the result cannot be copied.
std::unique_ptr<ModelInput> load_model_input(const InputOptions& options, const FoundInput& found);
std::unique_ptr<ModelInput> load_model_input(const InputOptions& options, const FoundInput& found,
                                             SharedInputs& shared);

// The axes of `problem`, which is the model's own, that --set changes: values, and products of its
// values. Error 2 for an axis with several values, error 3 for a product that is no whole number.
Problem axes_of(const Settings& settings, const Problem& problem);

// A kernel model with all nets that predict it, for a command without --net.
struct ModelNetsInput {
  std::unique_ptr<ModelInput> input;  // with the first of the nets
  // That of the model first, then the paper's net or the SM net. At least one.
  std::vector<std::shared_ptr<const NetTemplate>> nets;
  std::string not_run;  // whole sentences: which net does not apply, and why
};

// "Net sm was not run: it ..."
std::string sentence_of_not_run(const std::string& net, const std::string& why);

// Leaves out nets that lack a parameter of --set or of the model, the SM net for a point with
// counts alone, and with `cold` a net that does not model caches. Throws error 2 for a parameter
// that no net has, and where each net lacks one of them.
ModelNetsInput load_model_nets(const InputOptions& options, bool cold, const FoundInput& found,
                               SharedInputs& shared);

}  // namespace pnsim
