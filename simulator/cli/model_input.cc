// Loads a kernel model with the net or the nets that predict it.
#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>

#include "simulator/analysis/predict/predict.h"
#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/base/process.h"
#include "simulator/base/table.h"
#include "simulator/cli/input.h"
#include "simulator/model/launch/launch_shape.h"
#include "simulator/model/sm/sm_parameters.h"

namespace pnsim {
namespace {

using Templates = std::vector<std::shared_ptr<const NetTemplate>>;

// Whether --set may change it for a kernel model on this net.
bool has_parameter(const NetTemplate& net, const std::string& name) {
  return net.find_parameter(name) != nullptr || (is_count(name) && takes_counts(net));
}

// The first of the two nets of a prediction that has the parameter; "" for neither.
std::string other_net_with(const std::string& name) {
  for (const char* net : {"wpnm", "sm"}) {
    if (load_net_template(find_data_file(net, {"models/nets"})).find_parameter(name)) return net;
  }
  return "";
}

// What a model can set, for a name that is near to none of the `known` ones.
std::string names_text(const std::string& name, const KernelModel& model,
                       const std::vector<std::string>& known) {
  if (!suggestion(name, known).empty()) return "";
  std::string axes, counts;
  for (const std::string& axis : model.axes()) axes += (axes.empty() ? "" : ", ") + axis;
  for (const std::string& count : count_names()) counts += ", " + count;
  return "; the model has " + (axes.empty() ? counts.substr(2) : axes + counts);
}

// "[20,40]": the values of this parameter in `settings`, each once; "40" for a single one.
std::string values_of(const std::string& name, const std::vector<std::string>& settings) {
  std::vector<std::string> values;
  for (const std::string& setting : settings) {
    if (!setting.starts_with(name + "=")) continue;
    const std::string value = setting.substr(name.size() + 1);
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : ",") + value;
  return values.size() == 1 ? text : "[" + text + "]";
}

// What to do about a parameter of a net that the command does not take.
std::string other_net_text(const std::string& name, const std::string& other,
                           const InputOptions& options) {
  const std::string has_it = "; it is a parameter of the net " + other;
  if (!options.needs_reasons) return has_it + ": --net " + other;
  std::vector<std::string> settings = options.set;
  settings.insert(settings.end(), options.of_sides.begin(), options.of_sides.end());
  const std::string values = values_of(name, settings);
  const std::string input = shell_line({options.input});
  const bool is_one = !values.starts_with("[");
  return has_it + ", which tells no reasons to compare; type: " +
         (is_one ? "pnsim --model " + input + " --net " + other + " --set " + name + "=" + values
                 : "pnsim sweep " + input + " --net " + other + " -a " + name + "=" + values);
}

[[noreturn]] void fail_unknown_setting(const std::string& name, const InputOptions& options,
                                       const KernelModel& model, const Templates& nets) {
  if (name == "net" || name == "device") {
    fail_usage("--set " + name + ": " + name + " is a name, not a number: use --" + name + " NAME");
  }
  std::vector<std::string> known = model.axes();
  std::string names;
  for (const auto& net : nets) {
    names += (names.empty() ? "" : ", ") + net->name;
    for (const std::string& parameter : net->parameter_names()) known.push_back(parameter);
  }
  known.insert(known.end(), count_names().begin(), count_names().end());
  const std::string other = nets.size() == 1 ? other_net_with(name) : "";
  fail_usage("--set: neither the model " + model.name + " nor " +
             (nets.size() == 1 ? "the net " + names : "one of the nets " + names) + " has \"" +
             name + "\"" +
             (other.empty() ? suggestion(name, known) + names_text(name, model, known)
                            : other_net_text(name, other, options)));
}

bool any_has(const Templates& nets, const std::string& name) {
  return std::any_of(nets.begin(), nets.end(),
                     [&](const auto& net) { return has_parameter(*net, name); });
}

// An axis of the problem has whole numbers: a rounded product would be another problem.
std::int64_t axis_product(const std::string& name, std::int64_t value, double factor) {
  const std::int64_t product = scaled(static_cast<double>(value), factor, name);
  if (static_cast<double>(product) == static_cast<double>(value) * factor) return product;
  fail_input("--set " + name + "*=", "the model's " + std::to_string(value) + " times " +
                                         significant(factor, 6) +
                                         " is not a whole number; give the value itself");
}

// A size that no block has, so that no other command can predict it either.
void refuse_impossible_block(std::int64_t block, const DeviceProfile& device) {
  constexpr const char* kLimit = "max_threads_per_block";
  const std::int64_t most = device.facts.contains(kLimit) ? device.count(kLimit) : 1024;
  if (block >= 1 && block <= most) return;
  fail_usage("--set block=" + std::to_string(block) + ": a block has 1 to " + std::to_string(most) +
             " threads");
}

// The command that predicts a block that was not recorded, with the other axes of --set.
std::string what_if_command(const InputOptions& options, const std::string& model,
                            std::int64_t block, const ModelInput& input, bool has_reasons) {
  std::vector<std::string> words{"pnsim", has_reasons ? "compare" : "sweep", model};
  for (const std::string& setting : options.set) {
    const std::string name = setting.substr(0, setting.find_first_of("*="));
    if (name == kBlockAxis || !input.model.problem.contains(name)) continue;
    words.insert(words.end(), {"--set", setting});
  }
  if (!options.device.empty()) words.insert(words.end(), {"--device", options.device});
  const std::string size = std::string(kBlockAxis) + "=" + std::to_string(block);
  words.insert(words.end(), {has_reasons ? "--b" : "-a", size});
  return shell_line(words);
}

// What to do about a block that was not recorded: other commands predict it as a what-if
// (launch_shape.h), unless the recorded points show that it cannot be inferred.
std::string what_if_hint(const InputOptions& options, const std::string& path, const Problem& axes,
                         const ModelInput& input, const std::string& not_recorded) {
  try {
    const ShapedPoint shaped = shaped_point(input.model, axes, *input.device);
    const bool has_reasons = has_programs(shaped.point());
    return std::string(has_reasons ? "; the time of that size and its reasons: "
                                   : "; the steps of that size: ") +
           what_if_command(options, is_folder(options.input) ? path : options.input,
                           axes.at(kBlockAxis), input, has_reasons);
  } catch (const Error& error) {
    const std::string why = error.what();
    return why == not_recorded ? "" : "; it cannot be inferred either: " + why;
  }
}

// Splits --set into axes of the model, and parameters of the nets with the counts. `path` is the
// file of the model, which the input names unless it is a folder.
void apply_settings(const InputOptions& options, const std::string& path, const Templates& nets,
                    ModelInput& out) {
  const Settings settings = parse_settings(options.set);
  for (const auto& [name, values] : settings.values) {
    if (out.model.problem.contains(name)) continue;
    if (any_has(nets, name)) {
      out.net_parameters[name] = values;
    } else {
      fail_unknown_setting(name, options, out.model, nets);
    }
  }
  for (const auto& [name, factor] : settings.factors) {
    if (out.model.problem.contains(name)) continue;
    if (any_has(nets, name)) {
      out.factors[name] = factor;
    } else {
      fail_unknown_setting(name, options, out.model, nets);
    }
  }
  const Problem axes = axes_of(settings, out.model.problem);
  try {
    out.point = &out.model.point(axes);
  } catch (const Error& error) {
    // A block that was not recorded may be a what-if (launch_shape.h) of other commands.
    const auto block = axes.find(kBlockAxis);
    if (error.code() != ExitCode::kUnavailable || block == axes.end()) throw;
    refuse_impossible_block(block->second, *out.device);
    throw Error(error.code(), error.what() + what_if_hint(options, path, axes, out, error.what()));
  }
}

// The model and the device, without a net.
std::unique_ptr<ModelInput> read_model(const InputOptions& options, const FoundInput& found) {
  if (found.kind == InputKind::kDevice) {
    fail_usage(found.path + " is a device profile, not a kernel model: name it with --device");
  }
  if (found.kind != InputKind::kKernelModel) fail_usage(found.path + " is not a kernel model");
  if (!options.until.empty()) fail_usage("--until applies to nets, not to kernel models");
  auto out = std::make_unique<ModelInput>();
  out->model = read_kernel_model(JsonReader(found.json, found.path));
  return out;
}

void add_device(const InputOptions& options, const FoundInput& found, SharedInputs& shared,
                ModelInput& out) {
  if (options.device.empty() && !is_profiled(out.model.device)) {
    fail_unknown_gpu(found.path + ": /device", out.model.device);
  }
  out.device = shared.device(options.device.empty() ? out.model.device : options.device);
}

// Says why a net does not apply; "" when it does.
using WhyNot = std::function<std::string(const NetTemplate&)>;

// Removes the nets that do not apply, unless that are all. Returns whether one is left.
bool leave_out(const WhyNot& why_not, ModelNetsInput& out) {
  Templates kept;
  std::string reasons;
  for (const auto& net : out.nets) {
    const std::string why = why_not(*net);
    if (why.empty()) {
      kept.push_back(net);
    } else {
      reasons += (reasons.empty() ? "" : "\n") + sentence_of_not_run(net->name, why);
    }
  }
  if (kept.empty()) return false;
  out.nets = std::move(kept);
  out.not_run += reasons;
  return true;
}

// The first of these parameters that the net lacks; "" when it has all.
std::string missing_parameter(const NetTemplate& net, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (!has_parameter(net, name)) return name;
  }
  return "";
}

template <class Map>
void add_names(const Map& map, std::vector<std::string>& names) {
  for (const auto& [name, value] : map) names.push_back(name);
}

// The values of one axis for which the model has programs while all other axes are those of
// `problem`: "With the same other axes the model has programs for n=1048576, 4194304.\n". Of
// several axes, that with most such values; "" without any.
std::string values_with_programs(const KernelModel& model, const Problem& problem) {
  std::map<std::string, std::set<std::int64_t>> values;
  for (const RecordedPoint& point : model.points) {
    if (!has_programs(point) || point.problem.size() != problem.size()) continue;
    std::vector<Problem::value_type> differ;
    std::set_difference(point.problem.begin(), point.problem.end(), problem.begin(), problem.end(),
                        std::back_inserter(differ));
    if (differ.size() == 1) values[differ[0].first].insert(differ[0].second);
  }
  const auto most = std::max_element(
      values.begin(), values.end(),
      [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  if (most == values.end()) return "";
  std::string list;
  for (const std::int64_t value : most->second)
    list += (list.empty() ? "" : ", ") + std::to_string(value);
  return "With the same other axes the model has programs for " + most->first + "=" + list + ".\n";
}

void leave_out_by_parameters(ModelNetsInput& out) {
  const ModelInput& input = *out.input;
  const auto lacks = [](const std::vector<std::string>& names, const std::string& of) {
    return [&names, of](const NetTemplate& net) {
      const std::string name = missing_parameter(net, names);
      return name.empty() ? "" : "it has no parameter " + name + " (" + of + ").";
    };
  };
  std::vector<std::string> set, of_model;
  add_names(input.net_parameters, set);
  add_names(input.factors, set);
  add_names(input.model.parameters, of_model);
  if (!leave_out(lacks(set, "--set"), out)) {
    const std::string first = missing_parameter(*out.nets.front(), set);
    const std::string last = missing_parameter(*out.nets.back(), set);
    fail_usage("--set: net " + out.nets.front()->name + " has no parameter " + first +
               ", and net " + out.nets.back()->name + " has no parameter " + last +
               "; set parameters of one net");
  }
  leave_out(lacks(of_model, "the model sets it"), out);
}

}  // namespace

Problem axes_of(const Settings& settings, const Problem& problem) {
  Problem axes;
  for (const auto& [name, values] : settings.values) {
    if (!problem.contains(name)) continue;
    if (values.size() != 1) fail_usage("--set " + name + ": an axis takes one value");
    axes[name] = values[0];
  }
  for (const auto& [name, factor] : settings.factors) {
    if (const auto own = problem.find(name); own != problem.end()) {
      axes[name] = axis_product(name, own->second, factor);
    }
  }
  return axes;
}

std::string sentence_of_not_run(const std::string& net, const std::string& why) {
  return "Net " + net + " was not run: " + why;
}

std::unique_ptr<ModelInput> load_model_input(const InputOptions& options, const FoundInput& found) {
  SharedInputs none;
  return load_model_input(options, found, none);
}

std::unique_ptr<ModelInput> load_model_input(const InputOptions& options, const FoundInput& found,
                                             SharedInputs& shared) {
  std::unique_ptr<ModelInput> out = read_model(options, found);
  out->net_template = shared.net_template(options.net.empty() ? out->model.net : options.net);
  add_device(options, found, shared, *out);
  apply_settings(options, found.path, {out->net_template}, *out);
  return out;
}

ModelNetsInput load_model_nets(const InputOptions& options, bool cold, const FoundInput& found,
                               SharedInputs& shared) {
  ModelNetsInput out;
  out.input = read_model(options, found);
  const auto named = shared.net_template(out.input->model.net);
  out.nets = {named, shared.net_template(walks_programs(*named) ? "wpnm" : "sm")};
  add_device(options, found, shared, *out.input);
  apply_settings(options, found.path, out.nets, *out.input);
  leave_out_by_parameters(out);
  if (!has_programs(*out.input->point)) {
    const std::string others = values_with_programs(out.input->model, out.input->point->problem);
    leave_out(
        [&](const NetTemplate& net) {
          return walks_programs(net)
                     ? "this point has only counts, not the programs of its warps.\n" + others +
                           "This command derives a model with programs: "
                           "pnsim derive --ncu RAW.csv --source SOURCE.csv -o DIR"
                     : "";
        },
        out);
  }
  if (cold) {
    leave_out(
        [](const NetTemplate& net) {
          return walks_programs(net) ? "" : "it does not model caches (--cold).";
        },
        out);
  }
  out.input->net_template = out.nets.front();
  return out;
}

}  // namespace pnsim
