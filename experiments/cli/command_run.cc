// experiment run [SPEC|all]: predicts the points of experiments and compares them with times.
#include <spdlog/spdlog.h>

#include <algorithm>

#include "experiments/cli/commands.h"
#include "experiments/report/analysis.h"
#include "experiments/report/report.h"
#include "experiments/run/runner.h"
#include "experiments/spec/options.h"
#include "simulator/analysis/predict/against_default.h"
#include "simulator/analysis/predict/recorded.h"
#include "simulator/base/activity.h"
#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/base/output.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

struct RunCommandOptions {
  std::string spec = "radix";
  std::string compare;  // "": no comparison
  std::vector<std::string> axes;
  std::string out;  // "": the default folder
  std::string net, device;
  std::string engine = "auto";
  bool resume = false;
  RunOptions run;
  OutputOptions output;
};

// The default folder of the rows of a spec.
std::string folder_of(const RunCommandOptions& options, const Spec& spec, bool many) {
  if (options.out.empty()) return "results-out/" + spec.name;
  return many ? options.out + "/" + spec.name : options.out;
}

// What the summary of all experiments says of one.
struct SummaryRow {
  std::string spec, points, mean_error, worst_error, files;  // errors: of the held-out points
  std::string failure;                                       // "" when it was run
};

struct Finished {
  Rendered rendered;
  SummaryRow row;
};

SummaryRow summary_row(const RunResults& results, const std::string& folder) {
  SummaryRow row{
      results.info.spec.name, std::to_string(results.points.size()), "-", "-", folder, ""};
  if (!results.is_compared()) return row;
  const ErrorSummary errors = analyse(results).held_out;
  row.mean_error = fixed(100 * errors.mean, 1);
  row.worst_error = fixed(100 * errors.worst, 1);
  return row;
}

std::string summary_text(const std::vector<SummaryRow>& rows) {
  TextTable table({"experiment", "points", "held-out mean %", "held-out worst %", "files in"});
  std::string failures;
  std::size_t points = 0, failed = 0;
  for (const SummaryRow& row : rows) {
    table.add_row({row.spec, row.points, row.mean_error, row.worst_error, row.files});
    if (row.points != "-") points += std::stoul(row.points);
    if (row.failure.empty()) continue;
    ++failed;
    failures += "  " + row.spec + ": " + row.failure + "\n";
  }
  return "\nSummary: " + std::to_string(rows.size() - failed) + " experiments, " +
         std::to_string(points) + " points, " +
         (failed == 0 ? "no failures" : std::to_string(failed) + " failed") + "\n" + table.text(2) +
         (failed == 0 ? "" : "\nFailed:\n" + failures);
}

// The same for all experiments of a net and a device, so that it is printed once.
void say_missing_scale(const RunResults& results) {
  const RunInfo& info = results.info;
  if (info.scale || results.is_compared()) return;
  if (!has_recorded_times(info.device)) {
    spdlog::info("no times are recorded on {}, so that no time scale can be fitted for net {}",
                 info.device, info.net);
    return;
  }
  std::string command = "experiment calibrate --net " + info.net + " --device " + info.device;
  for (const auto& [name, values] : info.parameters) {
    command += " -a " + name + "=" + std::to_string(values.at(0));
  }
  spdlog::info("no time scale is recorded for these parameters of net {}; this fits one: {}\n{}",
               info.net, command, calibrate_effect(info.device));
}

// Points are predicted with one value of each parameter, and several are a grid, which only a
// comparison with measured times has.
void check_grid_values(const RunRequest& request, const std::vector<Axis>& given) {
  for (const Axis& axis : given) {
    const std::vector<Axis>& grid = request.spec.grid;
    const bool is_of_grid = std::any_of(grid.begin(), grid.end(),
                                        [&](const Axis& other) { return other.name == axis.name; });
    if (!is_of_grid || axis.values.size() == 1) continue;
    if (request.compare == CompareMode::kNone) {
      fail_usage("-a " + axis_text(axis) + ": several values of " + axis.name +
                 " are a grid, which is compared with measured times: add "
                 "--compare-gpu=recorded; or give one value for the points, as in -a " +
                 axis.name + "=" + axis.values[0]);
    }
    spdlog::info("the values of {} are cells of the grid; the points have {}", axis.name,
                 parameters_text(request.spec.reference));
  }
}

Finished run_one(const RunCommandOptions& options, const std::string& name, bool many,
                 const Invocation& invocation) {
  RunRequest request;
  request.spec = load_spec(name);
  const std::vector<Axis> given = parse_axes(options.axes);
  override_axes(request.spec, given);
  request.compare = parse_compare_mode(options.compare);
  check_grid_values(request, given);
  request.net = options.net;
  request.device = options.device;
  request.folder = folder_of(options, request.spec, many);
  request.resume = options.resume;
  request.options = options.run;
  request.options.engine = parse_engine(options.engine);
  request.command = invocation.command_line;
  for (const auto& files : {run_files(request.folder), report_files(request.folder)}) {
    check_output_apart(options.output, files);
  }
  check_output_folders(options.output, request.folder);
  spdlog::info("{}: rows, tables and plots go to {}", request.spec.name, request.folder);
  const RunResults results = run_experiment(request);
  say_missing_scale(results);
  std::vector<std::string> written;
  for (const std::string& file : write_report(request.folder, results)) {
    spdlog::debug("wrote {}/{}", request.folder, file);
    written.push_back(request.folder + "/" + file);
  }
  check_output_apart(options.output, written);  // the plots, whose names are known only now
  return {{report_text(results, invocation.verbose), summary_json(results).dump(1) + "\n",
           points_csv(results)},
          summary_row(results, request.folder)};
}

// One experiment after the other. An experiment that fails does not keep the others from running;
// the code is that of the first failure. A wrong option fails at once: it is wrong for all.
ExitCode run_all(const RunCommandOptions& options, const Invocation& invocation) {
  const std::vector<std::string> names = shipped_names("experiments/specs");
  Task task("experiment", names.size(), Task::Parts::kTasks);
  ExitCode code = ExitCode::kOk;
  std::vector<SummaryRow> rows;
  for (const std::string& name : names) {
    try {
      Finished finished = run_one(options, name, true, invocation);
      write_output(options.output, finished.rendered);
      rows.push_back(std::move(finished.row));
    } catch (const Error& error) {
      const bool concerns_all =
          error.code() == ExitCode::kUsage || error.code() == ExitCode::kBrokenPipe;
      if (concerns_all) throw;
      spdlog::error("{}: {}", name, error.what());
      if (code == ExitCode::kOk) code = error.code();
      rows.push_back({name, "-", "-", "-", "-", error.what()});
    }
    task.add_done();
  }
  if (options.output.json != "-" && options.output.csv != "-") write_text(summary_text(rows));
  return code;
}

// The outputs of the experiments would replace one another.
void refuse_one_file_for_all(const OutputOptions& output) {
  for (const std::string& file : {output.json, output.csv}) {
    if (file.empty() || file == "-") continue;
    fail_usage("run all: every experiment would replace the output " + file +
               "; run one experiment, or take summary.json and points.csv from the folder of each");
  }
}

ExitCode run(const RunCommandOptions& options, const Invocation& invocation) {
  for (const std::string& input : {options.spec, options.net, options.device}) note_input(input);
  check_output(options.output);
  if (options.spec != "all") {
    write_output(options.output, run_one(options, options.spec, false, invocation).rendered);
    return ExitCode::kOk;
  }
  refuse_one_file_for_all(options.output);
  return run_all(options, invocation);
}

}  // namespace

void add_run_command(CLI::App& app, Invocation& invocation) {
  CLI::App* sub = app.add_subcommand("run", "predict the points of an experiment");
  auto options = std::make_shared<RunCommandOptions>();
  sub->add_option("SPEC", options->spec, "a name of `experiment list`, a file, or all")
      ->capture_default_str();
  sub->add_flag("--compare-gpu{auto}", options->compare,
                "compare with measured times: =auto (the GPU when there is one, else recorded "
                "ones), =live or =recorded");
  add_axis_flag(
      *sub, options->axes,
      "other values of an axis of the points (n[pow2]=[12:16]) or of the grid; one value of the "
      "grid (l1=40) is also that of the points");
  sub->add_option("--out", options->out, "folder of the rows, tables and plots (results-out/SPEC)");
  sub->add_flag("--resume", options->resume, "keep existing cells of the grid and live times");
  sub->add_option("--net", options->net, "net template instead of the spec's");
  sub->add_option("--device", options->device, "device profile instead of the spec's");
  add_simulation_flags(*sub, options->run, options->engine);
  add_json_flag(*sub, options->output);
  add_csv_flag(*sub, options->output);
  sub->callback([&invocation, options] {
    invocation.action = [&invocation, options] { return run(*options, invocation); };
  });
}

}  // namespace pnsim::experiments
