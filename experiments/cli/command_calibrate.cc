// experiment calibrate [SPEC]: fits the time per step to recorded times. With --profile it sets the
// measured facts of a device profile from recorded microbenchmarks.
#include <spdlog/spdlog.h>

#include "experiments/cli/commands.h"
#include "experiments/measure/micro_facts.h"
#include "experiments/spec/comparison.h"
#include "experiments/spec/device_file.h"
#include "experiments/spec/options.h"
#include "experiments/spec/suite.h"
#include "experiments/spec/time_scale.h"
#include "simulator/base/data_files.h"
#include "simulator/base/latest_rows.h"
#include "simulator/base/output.h"
#include "simulator/base/rows.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

struct CalibrateOptions {
  std::string spec = "radix";
  std::string net, device;
  std::vector<std::string> axes;  // axes of net parameters
  std::string out;                // "": results/<device>/time_scale.jsonl, or the profile
  std::string engine = "auto";
  RunOptions run;
  bool profile = false;
  OutputOptions output;
};

// Only the points that the scale is fitted on need a simulation.
void keep_training_points(Spec& spec) {
  for (Axis& axis : spec.axes) {
    if (axis.name != spec.size_axis) continue;
    std::erase_if(axis.values,
                  [](const std::string& value) { return !is_training_value(std::stoll(value)); });
    if (axis.values.empty()) {
      fail_usage("axis " + axis.name + ": no value has an even log2 (rounded down)");
    }
  }
}

// The reference parameters, or every point of the -a axes applied to them.
std::vector<ParameterValues> settings_of(const Spec& spec, const std::vector<std::string>& axes) {
  if (axes.empty()) return {spec.reference};
  Spec only_grid = spec;
  only_grid.grid = parse_axes(axes);
  return grid_cells(only_grid);
}

// --profile: converts microbenchmarks to facts of the device profile.
ExitCode calibrate_profile(const CalibrateOptions& options) {
  DeviceProfile profile = load_device_profile(options.device.empty() ? "h200" : options.device);
  const std::size_t set = set_measured_facts(recorded_rows(profile.name), profile);
  if (set == 0) {
    fail_unavailable("no microbenchmark of " + profile.name +
                     " is recorded: run `experiment "
                     "microbench` on a machine with that GPU first");
  }
  const std::string file =
      options.out.empty() ? data_root() + "/models/devices/" + profile.name + ".json" : options.out;
  write_file_whole(OutputFile::updated(file, ShippedFolder::kDevices),
                   device_profile_text(profile));
  write_stdout(profile.title + ": " + std::to_string(set) + " measured facts in " + file + "\n");
  warn_of_missing_facts(profile);
  return ExitCode::kOk;
}

ExitCode calibrate(const CalibrateOptions& options, const Invocation& invocation) {
  check_output(options.output);
  Spec spec = load_spec(options.spec);
  keep_training_points(spec);
  const DeviceProfile device =
      load_device_profile(options.device.empty() ? spec.device : options.device);
  const Suite suite(spec, options.net, &device);
  if (suite.step_is_cycle()) {
    fail_usage("--net " + suite.net() +
               " needs no time scale: its step is a cycle of the clock, so that pnsim predicts a "
               "time with every setting; experiment calibrate --net wpnm fits the paper's net");
  }
  RunOptions run = options.run;
  run.engine = parse_engine(options.engine);
  const std::string folder = data_root() + "/results/" + device.name;
  const std::string file = options.out.empty() ? folder + "/time_scale.jsonl" : options.out;
  const OutputFile out = OutputFile::stored(file, ShippedFolder::kResults);
  if (options.out.empty()) make_folder(OutputFile::stored(folder, ShippedFolder::kResults));
  const RecordedResults recorded(device.name);
  TextTable table({"net", "device", "parameters", "ns/step", "points", "row"});
  Json rows = Json::array();
  std::vector<std::string> lines;
  for (const ParameterValues& setting : settings_of(suite.spec(), options.axes)) {
    const Json row = time_scale_row(suite, setting, recorded, run, invocation.command_line);
    lines.push_back(to_line(row));
    table.add_row({row["net"], row["device"], parameters_text(suite.net_parameters(setting)),
                   significant(1e3 * row["us_per_step"].get<double>(), 5), row["points"].dump(),
                   row["id"]});
    rows.push_back(row);
  }
  store_latest_rows(out, lines);
  spdlog::info("stored {} in {}", rows.size() == 1 ? "a row" : "rows", file);
  write_output(options.output, {table.text(), rows.dump(1) + "\n", ""});
  return ExitCode::kOk;
}

}  // namespace

void add_calibrate_command(CLI::App& app, Invocation& invocation) {
  CLI::App* sub = app.add_subcommand("calibrate", "fit the time per step to recorded times");
  auto options = std::make_shared<CalibrateOptions>();
  sub->add_option("SPEC", options->spec, "the experiment whose training points are taken")
      ->capture_default_str();
  sub->add_option("--net", options->net, "net template instead of the spec's");
  sub->add_option("--device", options->device, "device profile instead of the spec's");
  add_axis_flag(*sub, options->axes, "parameters of the net instead of the reference: l1=[20,200]");
  sub->add_option("--out", options->out, "file of the rows (results/DEVICE/time_scale.jsonl)");
  add_simulation_flags(*sub, options->run, options->engine);
  sub->add_flag("--profile", options->profile,
                "instead: recorded microbenchmarks into models/devices/DEVICE.json");
  add_json_flag(*sub, options->output);
  sub->callback([&invocation, options] {
    invocation.action = [&invocation, options] {
      return options->profile ? calibrate_profile(*options) : calibrate(*options, invocation);
    };
  });
}

}  // namespace pnsim::experiments
