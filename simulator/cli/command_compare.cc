// pnsim compare: two sides (programs, points or devices), or the kernels of a folder by GPU.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "simulator/analysis/questions/comparison.h"
#include "simulator/analysis/questions/device_table.h"
#include "simulator/base/extension.h"
#include "simulator/base/parallel.h"
#include "simulator/base/process.h"
#include "simulator/cli/commands.h"
#include "simulator/cli/shaped_input.h"
#include "simulator/help/usage_errors.h"
#include "simulator/model/memory/cold_launch.h"

namespace pnsim {
namespace {

struct CompareCommand {
  InputOptions input;                   // side a, or the folder; --set and --device of both sides
  std::string other;                    // side b; "": the model of side a
  std::vector<std::string> of_a, of_b;  // --a, --b
  bool cold = false;
  std::string sort = "file";  // of a table of kernels by GPU
  std::size_t top = 0;        // 0: all
  RunFlags flags;
  OutputOptions output;

  std::string mode() const { return cold ? "cold" : "warm"; }
};

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  std::vector<std::string> sorted = parts;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.front().empty() || std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    fail_usage("--device " + text + ": expected different devices, as in h200,h100");
  }
  return parts;
}

// What --set accepts. A fault names the option that was typed.
void check_setting(const std::string& flag, const std::string& setting) {
  try {
    parse_settings({setting});
  } catch (const Error& error) {
    constexpr std::string_view kSet = "--set";
    std::string text = error.what();
    for (std::size_t at = 0; (at = text.find(kSet, at)) != std::string::npos; at += flag.size()) {
      text.replace(at, kSet.size(), flag);
    }
    throw Error(error.code(), text);
  }
}

// The options of one side. Its own settings, given by `flag`, come after those of both.
InputOptions side_options(const CompareCommand& command, const std::string& input,
                          const std::string& flag, const std::vector<std::string>& own) {
  constexpr std::string_view kDevice = "device=";
  InputOptions options = command.input;
  options.input = input;
  options.of_sides = command.of_a;
  options.of_sides.insert(options.of_sides.end(), command.of_b.begin(), command.of_b.end());
  std::set<std::string> keys;
  for (const std::string& setting : own) {
    const std::string key = setting.substr(0, setting.find_first_of("*="));
    if (!keys.insert(key).second) {
      fail_usage(flag + " " + setting + ": " + key + " is given twice for this side");
    }
    if (setting.starts_with(kDevice)) {
      options.device = setting.substr(kDevice.size());
      if (options.device.empty()) {
        fail_usage(flag + " device=: expected the name of a device, as in device=h200");
      }
    } else {
      check_setting(flag, setting);
      options.set.push_back(setting);
    }
  }
  return options;
}

struct Side {
  ShapedInput input;
  RecordedPoint point;  // with a cold start where requested
  ModelRunReport report;
};

void load(const CompareCommand& command, const InputOptions& options, const FoundInput& found,
          SharedInputs& shared, Side& side) {
  side.input = load_shaped_input(options, found, shared);
  side.point = side.input.shaped.point();
  if (command.cold) side.point = when_cold(side.point);
}

// The axes of --a and --b that make the work differ, on request: "n".
std::string requested_work(const CompareCommand& command, const Side& a, const Side& b) {
  std::string axes;
  for (const auto& [axis, value] : work_of(a.point.problem)) {
    const auto is_given = [&, &name = axis](const std::vector<std::string>& own) {
      return std::any_of(own.begin(), own.end(), [&](const std::string& setting) {
        return setting.starts_with(name + "=") || setting.starts_with(name + "*=");
      });
    };
    if (!is_given(command.of_a) && !is_given(command.of_b)) continue;
    if (!b.point.problem.contains(axis) || b.point.problem.at(axis) == value) continue;
    axes += (axes.empty() ? "" : ", ") + axis;
  }
  return axes;
}

ExitCode compare_sides(const CompareCommand& command) {
  if (command.other.empty() && command.of_a.empty() && command.of_b.empty()) {
    fail_usage("expected a second side: pnsim compare A B, or what differs, as in: pnsim compare " +
               shell_line({command.input.input}) + " --a device=h200 --b device=h100");
  }
  SharedInputs shared;
  Side a, b;
  const std::string& other = command.other.empty() ? command.input.input : command.other;
  const FoundInput found = find_input(command.input.input);
  const bool same = other == command.input.input;
  load(command, side_options(command, command.input.input, "--a", command.of_a), found, shared, a);
  load(command, side_options(command, other, "--b", command.of_b), same ? found : find_input(other),
       shared, b);
  const std::string other_work = requested_work(command, a, b);
  if (other_work.empty()) {
    refuse_other_work(command.input.input, a.point.problem, other, b.point.problem);
  }
  const PointOptions options = command.flags.point_options();
  ExitCode code = ExitCode::kOk;
  for (Side* side : {&a, &b}) {
    side->report = predict_shaped(side->input, side->point, options, command.mode(), shared);
    code = std::max(code, exit_code_of(side->report, *side->input.input->net_template));
  }
  Comparison report =
      compare(a.report.net, command.mode(), compared_side(a.report, a.input.what_if),
              compared_side(b.report, b.input.what_if));
  report.other_work = other_work;
  write_output(command.output,
               {text_of(report), json_text(command.output, [&] { return to_json(report); }),
                csv_of(report)});
  warn_of_outcome(std::min(a.report.prediction.outcome, b.report.prediction.outcome), true);
  return code;
}

std::string kernels_text(const RecordedPoint& point) {
  if (point.launches.size() == 1) return point.launches[0].kernel;
  return std::to_string(point.launches.size()) + " launches";
}

// The measured time, else the one that is expected from the profile. An estimate may have the name
// of a GPU that was measured.
std::optional<double> known_us(const ModelRunReport& report) {
  if (!report.device->estimate.empty()) return std::nullopt;
  return report.measured ? std::optional(report.measured->median_us) : expected_us(report);
}

// One file on all devices.
ExitCode fill_row(const CompareCommand& command, const std::vector<std::string>& devices,
                  const std::string& path, SharedInputs& shared, DeviceTableRow& row) {
  row.file = std::filesystem::path(path).filename().string();
  PointOptions options = command.flags.point_options();
  options.run.threads = 1;
  try {
    const FoundInput found = kernel_model_at(path);
    std::vector<OnDevice> on;
    ExitCode code = ExitCode::kOk;
    for (const std::string& device : devices) {
      InputOptions one = command.input;
      one.device = device;
      const ShapedInput input = load_shaped_input(one, found, shared);
      const RecordedPoint& point = input.shaped.point();
      const RecordedPoint run = command.cold ? when_cold(point) : point;
      const ModelRunReport report = predict_shaped(input, run, options, command.mode(), shared);
      code = std::max(code, exit_code_of(report, *input.input->net_template));
      row.kernel = kernels_text(point);
      row.stands_for = stands_for(*report.model);
      row.is_in_place = report.is_in_place;
      if (report.is_in_place && command.input.set.empty()) row.profiled_on = report.model->device;
      if (point.launches.size() == 1) row.template_arguments = point.launches[0].template_arguments;
      on.push_back({predicted_us(report), busiest_unit_text(*report.reasons),
                    report.prediction.outcome, report.warnings, known_us(report)});
    }
    row.on = std::move(on);
    return code;
  } catch (const Error& error) {
    row.error = error.what();
    return error.code();
  }
}

bool has_cut_off(const DeviceTable& table) {
  return std::any_of(table.rows.begin(), table.rows.end(), [](const DeviceTableRow& row) {
    return std::any_of(row.on.begin(), row.on.end(),
                       [](const OnDevice& on) { return on.outcome == Outcome::kLimit; });
  });
}

ExitCode compare_devices(const CompareCommand& command) {
  if (!command.other.empty() || !command.of_a.empty() || !command.of_b.empty()) {
    fail_usage(
        "--device with several devices compares one model or folder: remove the second side");
  }
  SharedInputs shared;
  DeviceTable table{command.input.net, command.mode(), split_at_commas(command.input.device)};
  table.order = parse_device_table_order(command.sort);
  table.most = command.top;
  for (const std::string& device : table.devices) {
    table.estimates.push_back(shared.device(device)->estimate);
  }
  const std::string& input = command.input.input;
  const bool folder = is_folder(input);
  const std::vector<std::string> files =
      folder ? json_files_in(input) : std::vector<std::string>{find_input(input).path};
  InputOptions one = command.input;
  for (const std::string& device : table.devices) {
    one.device = device;
    const std::vector<std::string> outputs{command.output.json, command.output.csv};
    if (folder) {
      refuse_outputs_over_folder(one, files, outputs);
    } else {
      refuse_outputs_over_inputs(one, outputs);
    }
  }
  table.rows.resize(files.size());
  std::vector<ExitCode> codes(files.size(), ExitCode::kOk);
  parallel_for(files.size(), command.flags.run.threads, [&](std::size_t i) {
    codes[i] = fill_row(command, table.devices, files[i], shared, table.rows[i]);
  });
  for (const DeviceTableRow& row : table.rows) {
    if (!row.error.empty()) spdlog::error("error: {}: {}", row.file, row.error);
  }
  write_output(
      command.output,
      {text_of(table), json_text(command.output, [&] { return to_json(table); }), csv_of(table)});
  if (has_cut_off(table)) warn_of_outcome(Outcome::kLimit, true);
  const auto failed =
      std::find_if(codes.begin(), codes.end(), [](ExitCode code) { return code != ExitCode::kOk; });
  return failed == codes.end() ? ExitCode::kOk : *failed;
}

// "--csv t.csv": the file would be side b.
void refuse_output_as_side(const CompareCommand& command) {
  std::error_code none;
  const std::string& other = command.other;
  const bool is_csv = command.output.csv == "-" && has_extension(other, ".csv");
  const bool is_json = command.output.json == "-" && has_extension(other, ".json") &&
                       !std::filesystem::exists(other, none);
  if (!is_csv && !is_json) return;
  const std::string flag = is_csv ? "--csv" : "--json";
  fail_flag_value(other, "side b", flag);
}

ExitCode compare(CompareCommand command) {
  refuse_output_as_side(command);
  if (command.input.net.empty()) command.input.net = kComparedNet;
  command.input.needs_reasons = true;
  const bool several = command.input.device.find(',') != std::string::npos;
  if (several) return compare_devices(command);
  if (command.sort != "file" || command.top > 0) {
    fail_usage(
        "--sort and --top need a folder and several devices, as in: pnsim compare FOLDER "
        "--device h200,h100 --sort time");
  }
  if (is_folder(command.input.input)) {
    fail_usage(command.input.input +
               " is a folder: name the GPUs to compare, as in --device h200,h100");
  }
  InputOptions inputs = command.input;
  for (const std::string& input : {command.input.input, command.other}) {
    if (input.empty()) continue;
    inputs.input = input;
    refuse_outputs_over_inputs(inputs, {command.output.json, command.output.csv});
  }
  return compare_sides(command);
}

}  // namespace

void add_compare_command(CLI::App& app, Action& action) {
  auto command = std::make_shared<CompareCommand>();
  CLI::App* sub = app.add_subcommand(
      "compare", "two sides: which is faster, and why; or the kernels of a folder by GPU");
  sub->add_option("A,--model", command->input.input, "kernel model of side a; or a folder")
      ->required();
  sub->add_option("B", command->other, "kernel model of side b; default: that of side a");
  sub->add_option("--a", command->of_a,
                  "NAME=VALUE of side a alone: as for --set, or device=h200 (repeatable)")
      ->allow_extra_args(false);
  sub->add_option("--b", command->of_b, "the same of side b")->allow_extra_args(false);
  add_input_flags(*sub, command->input);
  sub->get_option("--net")->description(kComparedNetHelp);
  sub->get_option("--device")
      ->description("device of both sides; several, as in h200,h100: a table of kernels by GPU");
  sub->add_flag("--cold", command->cold, "the first launch starts with a cold L2");
  sub->add_option("--sort", command->sort,
                  "order of a folder's kernels: file, time (most time on the first device first) "
                  "or gain (the most time saved on the last device first)")
      ->capture_default_str();
  sub->add_option("--top", command->top, "show only the first N kernels of a folder")
      ->option_text("N")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
  add_run_flags(*sub, command->flags);
  add_output_flags(*sub, command->output);
  sub->callback([command, &action] { action = [command] { return compare(*command); }; });
}

}  // namespace pnsim
