#include "simulator/cli/run_folder.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <new>

#include "simulator/analysis/predict/folder_report.h"
#include "simulator/analysis/sweep/sweep_run.h"
#include "simulator/base/ordered.h"
#include "simulator/base/program.h"

namespace pnsim {
namespace {

// Predicts one file, and sets the worst end of its runs. Its model and net are freed at once,
// because a folder may hold many.
FolderRow predict_file(const ModelRunOptions& options, const std::string& path, bool with_json,
                       SharedInputs& shared, Outcome& worst_end) {
  FolderRow row;
  row.file = std::filesystem::path(path).filename().string();
  const auto fail = [&](ExitCode code, const std::string& what) {
    row.code = code;
    row.error = what.starts_with(path) ? what : path + ": " + what;
  };
  try {
    const ModelRun run = run_model(options, kernel_model_at(path), shared);
    fill_in(run.report, with_json, row);
    row.code = run.code;
    worst_end = run.worst_end;
  } catch (const Error& error) {
    fail(error.code(), error.what());
  } catch (const Json::type_error& error) {
    if (error.id != kJsonNotUtf8) throw;
    fail(ExitCode::kBadInput, "its name is not UTF-8: it cannot be written as JSON");
  } catch (const std::bad_alloc&) {
    fail(ExitCode::kLimit, out_of_memory_text());
  }
  return row;
}

// Returns the worst end of all runs.
Outcome predict_files(const ModelRunOptions& options, const std::vector<std::string>& files,
                      const OutputOptions& output, FolderReport& report) {
  SharedInputs shared;
  // These errors concern the options, so they apply to every file.
  if (!options.input.until.empty()) fail_usage("--until applies to nets, not to kernel models");
  if (!options.input.net.empty()) shared.net_template(options.input.net);
  if (!options.input.device.empty()) shared.device(options.input.device);
  parse_settings(options.input.set);
  OrderedJobs jobs;
  jobs.count = files.size();
  jobs.threads = options.point.run.threads;
  ModelRunOptions one = options;
  one.point.run.threads = threads_a_point(jobs.threads, jobs.count);
  report.rows.resize(files.size());
  std::vector<Outcome> ends(files.size(), Outcome::kGoal);
  Progress progress(progress_style(output.quiet), jobs.count, 0);
  jobs.make = [&](std::uint64_t i) {
    report.rows[i] = predict_file(one, files[i], !output.json.empty(), shared, ends[i]);
    return std::string();
  };
  jobs.take = [](const std::string&, std::uint64_t) {};
  jobs.tick = [&](std::uint64_t done) { progress.update(done); };
  run_in_order(jobs);
  return *std::min_element(ends.begin(), ends.end());
}

bool is_refused(const FolderRow& row) { return !row.error.empty() && row.code == ExitCode::kUsage; }
bool is_broken(const FolderRow& row) {
  return !row.error.empty() && row.code == ExitCode::kBadInput;
}

// An option that fits no model is an error of the command. It is reported once, after the files
// that are not models.
void refuse_options_of_none(const std::vector<FolderRow>& rows) {
  const auto refused = std::count_if(rows.begin(), rows.end(), is_refused);
  const auto broken = std::count_if(rows.begin(), rows.end(), is_broken);
  if (refused == 0 || refused + broken < static_cast<std::ptrdiff_t>(rows.size())) return;
  for (const FolderRow& row : rows) {
    if (is_broken(row)) spdlog::error("error: {}", row.error);
  }
  const std::string all =
      "; and likewise for all " + std::to_string(refused) + " models of the folder";
  fail_usage(std::find_if(rows.begin(), rows.end(), is_refused)->error + (refused == 1 ? "" : all));
}

// A fault that several files have in common, such as a GPU without a profile, is reported once.
void report_errors(const std::vector<FolderRow>& rows, const std::vector<std::string>& files) {
  constexpr std::size_t kFilesNamed = 3;
  std::map<std::string, std::vector<std::size_t>> rows_of;  // by the message behind the path
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].error.empty()) rows_of[rows[i].error.substr(files[i].size())].push_back(i);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].error.empty()) continue;
    const std::vector<std::size_t>& same = rows_of[rows[i].error.substr(files[i].size())];
    if (same.front() != i) continue;
    std::string others;
    for (std::size_t k = 1; k < std::min(same.size(), kFilesNamed + 1); ++k) {
      others += (k == 1 ? "; and likewise for " : ", ") + rows[same[k]].file;
    }
    if (same.size() > kFilesNamed + 1) {
      others += " and " + std::to_string(same.size() - kFilesNamed - 1) + " other files";
    }
    spdlog::error("error: {}{}", rows[i].error, others);
  }
}

}  // namespace

ExitCode run_folder(const ModelRunOptions& options, const FolderView& view,
                    const OutputOptions& output, const std::vector<std::string>& outputs) {
  const std::vector<std::string> files = json_files_in(options.input.input);
  refuse_outputs_over_folder(options.input, files, outputs);
  FolderReport report{options.input.input,
                      options.cold ? "cold" : "warm",
                      options.point,
                      !options.input.net.empty(),
                      {},
                      view};
  const Outcome worst_end = predict_files(options, files, output, report);
  refuse_options_of_none(report.rows);
  report_errors(report.rows, files);
  write_output(output,
               {text_of(report), output.json.empty() ? "" : json_of(report), csv_of(report)});
  warn_of_outcome(worst_end, true);
  return exit_code_of(report);
}

}  // namespace pnsim
