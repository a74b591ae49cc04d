#include "experiments/run/runner.h"

#include <spdlog/spdlog.h>

#include <filesystem>
#include <map>

#include "experiments/measure/measuring.h"
#include "experiments/run/baselines.h"
#include "experiments/run/earlier_run.h"
#include "experiments/spec/device_file.h"
#include "simulator/base/activity.h"
#include "simulator/base/error.h"
#include "simulator/base/leftovers.h"
#include "simulator/base/output.h"
#include "simulator/base/provenance.h"
#include "simulator/base/rows.h"

namespace pnsim::experiments {
namespace {

constexpr const char* kFitted =
    "geometric mean of time / steps over the training points of this run";

void remove_file(const OutputFile& file) {
  std::error_code ignored;  // a file that cannot be removed fails when it is written
  std::filesystem::remove(file.place(), ignored);
}

class Run {
 public:
  Run(const RunRequest& request, const DeviceProfile& profile, const Comparison& comparison)
      : request_(request), suite_(request.spec, request.net, &profile) {
    RunInfo& info = results_.info;
    info.spec = suite_.spec();
    info.comparison = comparison;
    info.net = suite_.net();
    info.device = suite_.device().name;
    info.device_title = suite_.device().described();
    info.parameters = suite_.net_parameters(info.spec.reference);
    info.seed = request.options.seed;
    info.replicas = request.options.replicas;
    info.engine = engine_name(request.options.engine);
    info.version = program_version();
    info.commit = build_commit();
    info.date = utc_now();
    info.command = request.command;
    for (const SuitePoint& point : suite_.points()) {
      results_.points.push_back({point, 0, 0, 0, 0, ""});
      results_.points.back().instructions = busiest_sm_instructions(
          suite_.model(point.program).point(point.problem), suite_.device().count("sms"));
      ids_.push_back(point_id(suite_, point, info));
    }
  }

  RunResults run() {
    check_output_files(run_files(request_.folder));
    make_folder(request_.folder);
    const FolderLock lock(request_.folder, FolderLock::IfBusy::kFail);
    check_earlier_run(request_.folder, new_run());
    write_run();  // also checks before the simulation that the folder can be written
    add_times();
    add_points();
    if (results_.is_compared()) add_grid();
    return std::move(results_);
  }

 private:
  NewRun new_run() const {
    const Comparison& comparison = results_.info.comparison;
    const bool has_grid = results_.is_compared() && !results_.info.spec.grid.empty();
    return {results_.info.spec.name, has_grid, comparison.source == CompareMode::kLive,
            request_.resume};
  }

  std::string path(const char* name) const { return request_.folder + "/" + name; }

  void write_run() const {
    write_file_whole(path("run.json"), run_json(results_.info).dump(1) + "\n");
  }

  void add_times() {
    const std::string& mode = results_.info.spec.mode;
    const std::string& device = results_.info.comparison.device;
    if (results_.info.comparison.source == CompareMode::kRecorded) {
      add_recorded_times(RecordedResults(device), mode, results_.points);
    } else if (results_.info.comparison.source == CompareMode::kLive) {
      measure_live(mode);
      add_recorded_times(RecordedResults(device, load_rows(path("times.jsonl"))), mode,
                         results_.points);
    }
  }

  void measure_live(const std::string& mode) const {
    MeasureJob job;
    for (const PointResult& result : results_.points)
      job.points.push_back(live_point(result.point));
    job.mode = parse_mode(mode);
    const OutputFile file(path("times.jsonl"));
    job.resume = request_.resume;
    job.command = request_.command;
    interrupt_.set("experiment: interrupted; the finished times are kept in " + file.path() +
                   ": continue with --resume");
    if (!job.resume) remove_file(file);
    measure_all(job, file, [](const std::string& line) { spdlog::info(line); });
  }

  void find_scale() {
    RunInfo& info = results_.info;
    if (suite_.step_is_cycle()) {
      info.scale = TimeScale{1 / suite_.device().positive("clock_mhz"), kCycleScale};
    } else if (results_.is_compared()) {
      info.scale = TimeScale{fit_us_per_step(results_.points), kFitted};
    } else {
      info.scale = RecordedResults(info.device).scale(info.net, info.parameters);
    }
  }

  void add_points() {
    const RunInfo& info = results_.info;
    const auto predictions = suite_.predict_all(info.spec.reference, request_.options);
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      results_.points[i].steps = predictions[i].mean_steps_at_device_clock();
      if (predictions[i].outcome != Outcome::kGoal) warn_of(results_.points[i].point);
    }
    find_scale();
    write_run();
    std::string rows;
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      rows += to_line(point_row(ids_[i], suite_, results_.points[i], predictions[i], info,
                                request_.options)) +
              "\n";
    }
    write_file_whole(path("points.jsonl"), rows);
  }

  void warn_of(const SuitePoint& point) const {
    spdlog::warn("{} {}: a launch did not reach its goal", point.program,
                 problem_text(point.problem));
  }

  // Existing cells by id.
  std::map<std::string, GridCell> old_cells(const OutputFile& file) const {
    std::map<std::string, GridCell> cells;
    if (!request_.resume) return cells;
    std::vector<std::size_t> lines;
    const std::vector<InputJson> rows = resume_rows(file, &lines);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const JsonReader row(rows[i], file.path() + ": line " + std::to_string(lines[i]));
      GridCell cell = read_cell(row);
      const std::string id = row.at("id").string();
      // Skips rows of other points or of another seed.
      if (id != cell_id(ids_, cell.parameters)) continue;
      check_points(row, cell, results_.points.size());
      cells[id] = std::move(cell);
    }
    return cells;
  }

  void add_grid() {
    const std::vector<ParameterValues> settings = grid_cells(results_.info.spec);
    // Checked before --resume makes the file an input of this command.
    const OutputFile file(path("grid.jsonl"));
    const std::map<std::string, GridCell> there = old_cells(file);
    if (!request_.resume) remove_file(file);
    std::string rows;
    std::size_t kept = there.size();
    say_kept(file.path(), kept, settings.size());
    Task task("cell", settings.size(), Task::Parts::kTasks);
    for (const ParameterValues& setting : settings) {
      const std::string id = cell_id(ids_, setting);
      const auto it = there.find(id);
      results_.cells.push_back(it == there.end() ? simulate(setting) : it->second);
      const std::string row = to_line(cell_row(id, results_.cells.back()));
      if (it == there.end()) {
        append_line(file, row);
        say_kept(file.path(), ++kept, settings.size());
      }
      rows += row + "\n";
      task.add_done();
      spdlog::debug("cell {} of {}: {}", results_.cells.size(), settings.size(),
                    parameters_text(setting));
    }
    if (!settings.empty()) write_file_whole(file, rows);  // in the order of the axes
  }

  void say_kept(const std::string& file, std::size_t kept, std::size_t cells) const {
    interrupt_.set("experiment: interrupted; " + std::to_string(kept) + " of " +
                   std::to_string(cells) + " cells kept in " + file + ": continue with --resume");
  }

  GridCell simulate(const ParameterValues& setting) const {
    GridCell cell{setting, {}};
    if (setting == results_.info.spec.reference) {  // simulated already
      for (const PointResult& result : results_.points) cell.steps.push_back(result.steps);
      return cell;
    }
    for (const Prediction& p : suite_.predict_all(setting, request_.options)) {
      cell.steps.push_back(p.mean_steps_at_device_clock());
    }
    return cell;
  }

  const RunRequest& request_;
  Suite suite_;
  RunResults results_;
  std::vector<std::string> ids_;  // [point]
  InterruptText interrupt_{"experiment: interrupted; nothing was finished"};
};

}  // namespace

std::vector<std::string> run_files(const std::string& folder) {
  std::vector<std::string> files;
  for (const char* name : {"run.json", "points.jsonl", "grid.jsonl", "times.jsonl"}) {
    files.push_back(folder + "/" + name);
  }
  return files;
}

RunResults run_experiment(const RunRequest& request) {
  const std::string wanted = request.device.empty() ? request.spec.device : request.device;
  Comparison comparison = decide(request.compare, wanted);
  const bool is_live = comparison.source == CompareMode::kLive;
  const DeviceProfile measured_on = is_live ? live_profile() : load_device_profile(wanted);
  comparison.device = measured_on.name;
  const DeviceProfile predicted_for =
      request.device.empty() ? measured_on : load_device_profile(request.device);
  need_profile(load_net(request.net.empty() ? request.spec.net : request.net), predicted_for);
  return Run(request, predicted_for, comparison).run();
}

}  // namespace pnsim::experiments
