#include "simulator/cli/shaped_input.h"

#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/model/memory/cold_launch.h"

namespace pnsim {
namespace {

bool sets_block(const std::string& setting) {
  const std::string axis = kBlockAxis;
  return setting.starts_with(axis + "=") || setting.starts_with(axis + "*=");
}

ShapedInput load_recorded(const InputOptions& options, const FoundInput& found,
                          SharedInputs& shared) {
  ShapedInput out;
  out.input = load_model_input(options, found, shared);
  out.shaped.recorded = out.input->point;
  return out;
}

// The block is not one of the recorded points.
ShapedInput load_what_if(const InputOptions& options, const FoundInput& found,
                         SharedInputs& shared) {
  InputOptions rest = options;
  std::erase_if(rest.set, sets_block);
  ShapedInput out = load_recorded(rest, found, shared);
  const KernelModel& model = out.input->model;
  const Settings settings = parse_settings(options.set);
  const auto block = block_of(*out.input->point);
  if (!block && settings.factors.contains(kBlockAxis)) {
    fail_usage("--set block*=: the launches of " + model.name +
               " have blocks of several sizes; give --set block=THREADS");
  }
  Problem own = model.problem;
  own.emplace(kBlockAxis, block.value_or(1));
  const Problem wanted = axes_of(settings, own);
  try {
    refuse_large_block(wanted, *out.input->device);
    out.shaped = shaped_point(model, wanted, *out.input->device);
  } catch (const Error& error) {
    if (error.code() != ExitCode::kBadInput) throw;
    throw UnfitBlock(error);
  }
  out.what_if = what_if_text(out.shaped);
  return out;
}

}  // namespace

std::string what_if_text(const ShapedPoint& shaped) {
  return shaped.what_if ? basis_text(what_if_basis(*shaped.recorded)) : "";
}

ShapedInput load_shaped_input(const InputOptions& options, const FoundInput& found,
                              SharedInputs& shared) {
  if (std::none_of(options.set.begin(), options.set.end(), sets_block)) {
    return load_recorded(options, found, shared);
  }
  try {
    return load_recorded(options, found, shared);
  } catch (const Error& error) {
    if (error.code() != ExitCode::kUnavailable && error.code() != ExitCode::kUsage) throw;
  }
  return load_what_if(options, found, shared);
}

void refuse_other_work(const std::string& a, const Problem& of_a, const std::string& b,
                       const Problem& of_b) {
  const Problem work_a = work_of(of_a), work_b = work_of(of_b);
  std::string different, commands;
  bool any_common = false;
  for (const auto& [axis, value] : work_a) {
    if (!work_b.contains(axis)) continue;
    any_common = true;
    if (work_b.at(axis) == value) continue;
    different += (different.empty() ? "" : ", ") + axis;
    commands += " --set " + axis + "=" + std::to_string(value);
  }
  const std::string sides =
      a + " (" + problem_text(of_a) + ") and " + b + " (" + problem_text(of_b) + ")";
  if (!different.empty()) {
    fail_usage(sides + " are different problems: " + different +
               " differs; give both the same with" + commands);
  }
  if (!any_common && !work_a.empty() && !work_b.empty()) {
    fail_usage(sides + " are different problems: they have no axis of the work in common");
  }
}

ModelRunReport predict_shaped(const ShapedInput& input, const RecordedPoint& point,
                              PointOptions options, const std::string& mode, SharedInputs& shared) {
  const ModelInput& model = *input.input;
  const NetTemplate& net = *model.net_template;
  if (!net.reasons.schedulers || !net.step_is_cycle) {
    fail_usage("--net " + net.name +
               ": expected a net with times and reasons, such as sm (without --net)");
  }
  options.run.count_reasons = true;
  const PointRequest request{&model.model, &net, model.device.get(), &point, model.net_parameters,
                             {},           {},   model.factors};
  return run_model_point(request, options, *shared.recorded(model.device->name, model.model.name),
                         mode);
}

}  // namespace pnsim
