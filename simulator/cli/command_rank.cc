// pnsim rank: the configurations of a program, or the models of a folder, by predicted time.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>

#include "simulator/analysis/questions/ranking.h"
#include "simulator/base/axis.h"
#include "simulator/base/nearest.h"
#include "simulator/base/parallel.h"
#include "simulator/base/process.h"
#include "simulator/cli/commands.h"
#include "simulator/cli/shaped_input.h"
#include "simulator/model/memory/cold_launch.h"

namespace pnsim {
namespace {

constexpr const char* kDeviceAxis = "device";
constexpr std::uint64_t kMostConfigurations = 10'000;

struct RankCommand {
  InputOptions input;
  std::vector<std::string> axes;
  bool cold = false;
  RunFlags flags;
  OutputOptions output;

  std::string mode() const { return cold ? "cold" : "warm"; }
};

// One configuration, loaded.
struct Candidate {
  std::string name;
  ShapedInput input;
};

// Axes with the values 0 and 1 choose a variant of the program.
bool is_switch(const KernelModel& model, const std::string& axis) {
  return std::all_of(model.points.begin(), model.points.end(), [&](const RecordedPoint& point) {
    const std::int64_t value = point.problem.at(axis);
    return value == 0 || value == 1;
  });
}

void check_axis(const RankCommand& command, const Axis& axis, const KernelModel& model) {
  if (axis.name == kDeviceAxis || axis.name == kBlockAxis) return;
  if (!model.problem.contains(axis.name)) {
    std::vector<std::string> known = model.axes();
    if (!model.problem.contains(kBlockAxis)) known.emplace_back(kBlockAxis);
    known.emplace_back(kDeviceAxis);
    fail_usage("unknown axis \"" + axis.name + "\" of " + model.name +
               suggestion(axis.name, known));
  }
  if (is_configuration_axis(axis.name) || is_switch(model, axis.name)) return;
  fail_usage("the axis " + axis.name + " changes the work of " + model.name +
             ": rank orders configurations of the same work. Choose one with --set " + axis.name +
             "=" + std::to_string(model.problem.at(axis.name)) +
             ", or predict all with: pnsim sweep " + shell_line({command.input.input}) + " -a " +
             axis.name + "=...");
}

void check_axes(const RankCommand& command, const std::vector<Axis>& axes,
                const KernelModel& model) {
  const Settings set = parse_settings(command.input.set);
  for (auto axis = axes.begin(); axis != axes.end(); ++axis) {
    check_axis(command, *axis, model);
    const auto same = [&](const Axis& other) { return other.name == axis->name; };
    if (std::any_of(axes.begin(), axis, same)) {
      fail_usage("the axis " + axis->name + " is given twice");
    }
    if (set.values.contains(axis->name) || set.factors.contains(axis->name) ||
        (axis->name == kDeviceAxis && !command.input.device.empty())) {
      fail_usage("\"" + axis->name + "\" is an axis and set: remove one of them");
    }
  }
}

// A configuration that no block fits is not predicted, and the others are ranked.
struct Candidates {
  std::vector<Candidate> fit;
  std::vector<NotPredicted> unfit;
};

void add_candidate(const InputOptions& options, const std::string& name, const FoundInput& found,
                   SharedInputs& shared, Candidates& out) {
  try {
    out.fit.push_back({name, load_shaped_input(options, found, shared)});
  } catch (const UnfitBlock& error) {
    out.unfit.push_back({name, error.what()});
  }
}

// Every combination of the axes; the last axis varies fastest.
Candidates candidates_of(const RankCommand& command, SharedInputs& shared) {
  std::vector<Axis> axes;
  for (const std::string& text : command.axes) axes.push_back(parse_axis(text));
  const FoundInput found = find_input(command.input.input);
  if (axes.empty()) {
    fail_usage("expected an axis of configurations, as in: pnsim rank " +
               shell_line({command.input.input}) +
               " --axis block=[64,128,256]; or a folder of models");
  }
  if (found.kind != InputKind::kKernelModel) fail_usage(found.path + " is not a kernel model");
  const KernelModel model = read_kernel_model(JsonReader(found.json, found.path));
  check_axes(command, axes, model);
  const std::uint64_t count = point_count(axes);
  if (count > kMostConfigurations) {
    fail_usage("found " + std::to_string(count) + " configurations, expected at most " +
               std::to_string(kMostConfigurations) + "; pnsim sweep predicts more");
  }
  Candidates out;
  for (std::uint64_t i = 0; i < count; ++i) {
    InputOptions options = command.input;
    std::string name;
    const std::vector<std::size_t> at = point_at(axes, i);
    for (std::size_t a = 0; a < axes.size(); ++a) {
      const std::string setting = axes[a].name + "=" + axes[a].values[at[a]];
      name += (name.empty() ? "" : " ") + setting;
      if (axes[a].name == kDeviceAxis) {
        options.device = axes[a].values[at[a]];
      } else {
        options.set.push_back(setting);
      }
    }
    add_candidate(options, name, found, shared, out);
  }
  return out;
}

// Models of `pnsim derive` have no problem: only those of one kernel are known to do the same work.
void refuse_other_kernels(const std::string& folder, const Candidate& a, const Candidate& b) {
  const RecordedPoint &of_a = a.input.shaped.point(), &of_b = b.input.shaped.point();
  if (!work_of(of_a.problem).empty() && !work_of(of_b.problem).empty()) return;
  const std::string &first = of_a.launches.front().kernel, &other = of_b.launches.front().kernel;
  if (first == other) return;
  fail_usage(a.name + " (" + first + ") and " + b.name + " (" + other +
             ") are different kernels, and rank orders configurations of the same work; for a "
             "table with the longest first, type: pnsim --model " +
             shell_line({folder}) + " --sort time");
}

Candidates models_of(const RankCommand& command, SharedInputs& shared) {
  if (!command.axes.empty()) {
    fail_usage("--axis: " + command.input.input +
               " is a folder, whose models are ordered as they "
               "are; give one model");
  }
  const std::vector<std::string> files = json_files_in(command.input.input);
  refuse_outputs_over_folder(command.input, files, {command.output.json, command.output.csv});
  Candidates out;
  for (const std::string& file : files) {
    const std::size_t before = out.fit.size();
    add_candidate(command.input, std::filesystem::path(file).filename().string(),
                  kernel_model_at(file), shared, out);
    if (out.fit.size() == before) continue;
    const Candidate &first = out.fit.front(), &last = out.fit.back();
    refuse_other_kernels(command.input.input, first, last);
    refuse_other_work(first.name, first.input.shaped.point().problem, last.name,
                      last.input.shaped.point().problem);
  }
  return out;
}

// The problem without the axes that are ranked.
Problem fixed_part(const RankCommand& command, Problem problem) {
  problem = work_of(problem);
  for (const std::string& axis : command.axes)
    problem.erase(axis.substr(0, axis.find_first_of("[=")));
  return problem;
}

std::string what_text(const RankCommand& command, const std::vector<Candidate>& candidates) {
  if (is_folder(command.input.input)) return command.input.input;
  const ModelInput& first = *candidates.front().input.input;
  std::string text = titled_model(first.model.name, " ", fixed_part(command, first.point->problem));
  const bool by_device = std::any_of(
      command.axes.begin(), command.axes.end(),
      [](const auto& axis) { return axis.starts_with(std::string(kDeviceAxis) + "="); });
  return by_device ? text : text + ", " + first.device->described();
}

std::string how_sure_text(const ShapedInput& input) {
  const Json& provenance = input.input->model.provenance;
  const bool is_profile = provenance.is_object() && provenance.contains("profiled_us");
  const std::string text = !input.what_if.empty() ? "what-if: " + input.what_if
                           : is_profile           ? "profiled"
                                                  : "recorded";
  return input.input->device->estimate.empty() ? text : text + "; the device is an estimate";
}

ExitCode rank(RankCommand command) {
  if (command.input.net.empty()) command.input.net = kComparedNet;
  command.input.needs_reasons = true;
  const bool folder = is_folder(command.input.input);
  if (!folder) {
    refuse_outputs_over_inputs(command.input, {command.output.json, command.output.csv});
  }
  SharedInputs shared;
  const Candidates all = folder ? models_of(command, shared) : candidates_of(command, shared);
  const std::vector<Candidate>& candidates = all.fit;
  if (candidates.size() < 2 && !all.unfit.empty()) {
    throw Error(ExitCode::kBadInput, all.unfit.front().why);
  }
  const bool has_text = command.output.json != "-" && command.output.csv != "-";
  for (const NotPredicted& one : all.unfit) {
    if (!has_text) spdlog::warn("not ranked: {}", one.why);
  }
  if (candidates.size() < 2) {
    fail_usage("found one configuration (" + candidates.front().name +
               "), expected at least two to rank" +
               (folder ? "" : ", as in --axis block=[64,128,256]"));
  }
  Ranking report{what_text(command, candidates), command.input.net, command.mode(), {}, all.unfit};
  report.rows.resize(candidates.size());
  std::vector<ExitCode> codes(candidates.size(), ExitCode::kOk);
  std::vector<Outcome> outcomes(candidates.size(), Outcome::kGoal);
  PointOptions options = command.flags.point_options();
  options.run.threads = 1;
  parallel_for(candidates.size(), command.flags.run.threads, [&](std::size_t i) {
    const ShapedInput& input = candidates[i].input;
    RecordedPoint point = input.shaped.point();
    if (command.cold) point = when_cold(point);
    const ModelRunReport one = predict_shaped(input, point, options, command.mode(), shared);
    codes[i] = exit_code_of(one, *input.input->net_template);
    outcomes[i] = one.prediction.outcome;
    report.rows[i] = {candidates[i].name,   predicted_us(one), std::nullopt,
                      how_sure_text(input), outcomes[i],       one.warnings};
    if (one.measured) report.rows[i].measured_us = one.measured->median_us;
  });
  sort_rows(report);
  write_output(command.output,
               {text_of(report), json_text(command.output, [&] { return to_json(report); }),
                csv_of(report)});
  warn_of_outcome(*std::min_element(outcomes.begin(), outcomes.end()), true);
  return *std::max_element(codes.begin(), codes.end());
}

}  // namespace

void add_rank_command(CLI::App& app, Action& action) {
  auto command = std::make_shared<RankCommand>();
  CLI::App* sub = app.add_subcommand(
      "rank", "configurations of a program, or models of a folder, by predicted time");
  sub->add_option("INPUT,--model", command->input.input, "kernel model, or a folder of them")
      ->required();
  sub->add_option("-a,--axis", command->axes,
                  "NAME=VALUES: block=[64,128,256], tile, group, device=[h200,h100] (repeatable)")
      ->allow_extra_args(false);
  add_input_flags(*sub, command->input);
  sub->get_option("--net")->description(kComparedNetHelp);
  sub->add_flag("--cold", command->cold, "the first launch starts with a cold L2");
  add_run_flags(*sub, command->flags);
  add_output_flags(*sub, command->output);
  sub->callback([command, &action] { action = [command] { return rank(*command); }; });
}

}  // namespace pnsim
