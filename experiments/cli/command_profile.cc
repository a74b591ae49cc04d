// experiment profile: makes profiler pages and a table of times for any program.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "experiments/cli/commands.h"
#include "experiments/measure/program_pages.h"
#include "experiments/measure/timed_launches.h"
#include "gpu/counts.h"
#include "gpu/launch_choice.h"
#include "gpu/record.h"
#include "simulator/analysis/predict/launch_counts.h"
#include "simulator/base/data_files.h"
#include "simulator/base/ncu.h"
#include "simulator/base/output.h"
#include "simulator/base/process.h"
#include "simulator/base/stats.h"
#include "simulator/base/table.h"
#include "simulator/model/derive/in_place_page.h"
#include "simulator/model/derive/raw_row.h"

namespace pnsim::experiments {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLaunches = 10000;  // of --most

struct ProfileOptions {
  std::vector<std::string> target;
  std::string out = "profile-out";
  int runs = 3;
  bool is_repeated = false;  // no page of the launches in place
  std::size_t most = 100;
  double limit_s = 0;  // of each run of the program, also under the profiler; 0: none
};

// The program as a path: names without a slash are looked up on PATH, as a shell does.
std::vector<std::string> resolved(std::vector<std::string> target) {
  std::string& program = target.front();
  if (program.find('/') == std::string::npos) {
    const std::string found = find_on_path(program);
    if (found.empty()) fail_usage("program \"" + program + "\" is not on PATH");
    program = found;
  }
  if (!fs::is_regular_file(program)) fail_usage(program + ": no such program");
  return target;
}

// In folders of this command, also of a run that failed.
std::string mark_file(const ProfileOptions& options) { return options.out + "/.pnsim-profile"; }

// Whether the folder has the mark, or, of an earlier version, rows of the recorder.
bool is_of_earlier_run(const ProfileOptions& options, const std::string& first_rows) {
  std::error_code none;
  if (fs::exists(mark_file(options), none)) return true;
  return fs::is_regular_file(first_rows, none) && read_file(first_rows).starts_with("{\"kernel\":");
}

// The folder may hold the files of an earlier run of this command, which are replaced, but no other
// files of these names.
void check_folder(const ProfileOptions& options, const TimedRuns& runs,
                  const std::vector<std::string>& results) {
  std::error_code none;
  if (fs::equivalent(options.out, data_root(), none)) {
    fail_usage("the output folder " + options.out +
               " is the program's data folder: name another folder with -o");
  }
  std::vector<std::string> files = results;
  const std::vector<std::string> of_runs = files_of_runs(runs);
  files.insert(files.end(), of_runs.begin(), of_runs.end());
  check_output_files(files);
  if (is_of_earlier_run(options, of_runs.front())) return;
  for (const std::string& file : files) {
    if (!fs::exists(file, none)) continue;
    fail_usage(file + " exists and is not of an earlier experiment profile: name another folder " +
               "with -o, or delete the file");
  }
}

// What serial records take longer than instrumented ones on this GPU. Empty, with a warning, where
// this cannot be measured.
std::optional<double> measured_offset_us(const std::string& recorder) {
  try {
    const double offset_us = gpu::serial_offset_us(recorder);
    spdlog::info("serial records of launches are {} us longer here", fixed(offset_us, 2));
    return offset_us;
  } catch (const Error& error) {
    if (error.code() == ExitCode::kInterrupted) throw;
    spdlog::warn(
        "the times hold what the recorder adds to each block, in launches of many short "
        "blocks up to a third of the time. The offset of the times without it cannot be "
        "measured here: {}",
        error.what());
    return std::nullopt;
  }
}

std::string extent_text(const gpu::Extent& extent) {
  std::string text = std::to_string(extent[0]);
  if (extent[1] > 1 || extent[2] > 1) text += "x" + std::to_string(extent[1]);
  if (extent[2] > 1) text += "x" + std::to_string(extent[2]);
  return text;
}

double spread_percent(const std::vector<double>& times) {
  const auto [least, most] = std::minmax_element(times.begin(), times.end());
  return *least > 0 ? 100 * (*most - *least) / *least : 0;
}

using MatchedLaunches = std::vector<std::optional<gpu::RecordedLaunch>>;

std::string launches_text(const std::vector<gpu::PageLaunch>& page,
                          const MatchedLaunches& launches) {
  TextTable table({"index", "kernel", "grid", "block", "invocation", "time us", "spread %"});
  for (std::size_t i = 0; i < page.size(); ++i) {
    const std::optional<gpu::RecordedLaunch>& launch = launches[i];
    table.add_row({std::to_string(i), gpu::kernel_base_name(page[i].kernel),
                   extent_text(page[i].grid), extent_text(page[i].block),
                   launch ? std::to_string(launch->invocation) : "-",
                   launch ? significant(launch->time_us, 4) : "-",
                   launch ? fixed(spread_percent(launch->all_times_us), 1) : "-"});
  }
  return table.text(2);
}

// Not all timed runs made them, but the run under the profiler did.
std::string untimed_text(const MatchedLaunches& launches) {
  const auto untimed = std::count(launches.begin(), launches.end(), std::nullopt);
  if (untimed == 0) return "";
  return std::to_string(untimed) +
         " of the profiled launches have no time: not every timed run made them, they failed under "
         "the profiler, or they were not among the chosen ones. Does the program do the same "
         "work in each run?\n";
}

// A larger --most that profiles kinds with most of the kernel time; "" where none is larger.
std::string more_text(const std::vector<gpu::RecordedLaunch>& launches, std::size_t chosen) {
  constexpr double kMostOfTime = 0.95;
  constexpr std::size_t kMostSuggested = 1000;
  for (std::size_t most = 2 * chosen; most < 2 * kMostSuggested; most *= 2) {
    const gpu::LaunchChoice more = gpu::choose_launches(launches, std::min(most, kMostSuggested));
    if (more.share_of_time < kMostOfTime && most < kMostSuggested) continue;
    if (more.launches.size() <= chosen) return "";
    return "--most " + std::to_string(more.launches.size()) + " profiles kinds with " +
           fixed(100 * more.share_of_time, 1) + " % of it\n";
  }
  return "";
}

// `profiled`: launches in the page, which has fewer than were chosen where the program launched
// fewer.
std::string summary_text(const gpu::LaunchChoice& choice, const gpu::AgreedLaunches& agreed,
                         std::size_t profiled) {
  const std::size_t chosen = choice.launches.size();
  if (profiled < chosen) {
    return "profiled " + std::to_string(profiled) + " of the " + std::to_string(chosen) +
           " launches that were chosen: the program launched no others of them under the "
           "profiler. Does it do the same work in each run?\n";
  }
  std::string text =
      "profiled " + std::to_string(chosen) + " of " + std::to_string(agreed.launches.size()) +
      " launches: " + std::to_string(choice.kinds_taken) + " of " + std::to_string(choice.kinds) +
      " kinds (kernel, grid, block, shared memory), which take " +
      fixed(100 * choice.share_of_time, 1) + " % of the kernel time\n";
  if (choice.kinds_taken < choice.kinds) {
    text += more_text(agreed.launches, chosen);
  }
  if (agreed.differing > 0) {
    text +=
        "skipped " + std::to_string(agreed.differing) + " launches that not every timed run made\n";
  }
  return text;
}

std::string in_place_file(const ProfileOptions& options) {
  return options.out + "/raw_in_place.csv";
}

// The page as the profiler prints it, until the column of other kernels is added.
std::string counted_in_place_file(const ProfileOptions& options) {
  return options.out + "/in_place.csv";
}

std::string names_of(const std::vector<gpu::PageLaunch>& launches) {
  std::string text;
  for (const gpu::PageLaunch& launch : launches)
    text += launch.kernel + extent_text(launch.grid) + extent_text(launch.block) + "\n";
  return text;
}

// Adds to the raw page how many launches of the program each one stands for.
void add_stands_for(const std::string& raw_csv, const MatchedLaunches& launches) {
  std::vector<std::string> cells;
  for (const gpu::StoodFor& of_row : gpu::stood_for(launches))
    cells.push_back(
        launches_csv(of_row.launches > 0 ? std::optional(of_row.launches) : std::nullopt));
  write_file_whole(OutputFile::updated(raw_csv, ShippedFolder::kNone),
                   with_column(read_file(raw_csv), raw_csv, kStandsForColumn, cells));
}

// Counts the same launches once more, with L2 as the launches before each leave it. Returns whether
// the page is there: a program whose work differs from run to run has none.
bool add_in_place(const ProfileOptions& options, gpu::CountsJob job,
                  const MatchedLaunches& launches) {
  const std::string repeated_raw = job.raw_csv, page = in_place_file(options),
                    counted = counted_in_place_file(options);
  job.report = options.out + "/in_place.ncu-rep";
  job.raw_csv = counted;
  job.source_csv = "";
  job.in_place_metrics = in_place_columns();
  std::string why;
  try {
    gpu::collect_counts(job);
    check_page(counted, PageKind::kRaw);
    if (names_of(launches_of_page(counted)) == names_of(launches_of_page(repeated_raw))) {
      std::vector<std::optional<std::int64_t>> others;
      for (const auto& launch : launches)
        others.push_back(launch ? launch->others_before : std::nullopt);
      write_file_whole(page, with_other_kernels(read_file(counted), counted, others));
    } else {
      why = "it has other launches than " + repeated_raw;
    }
  } catch (const Error& error) {
    if (error.code() == ExitCode::kInterrupted) throw;
    why = error.what();
  }
  std::error_code none;
  fs::remove(counted, none);
  if (why.empty()) return true;
  spdlog::warn("no {}, so launches are predicted as if each were repeated: {}", page, why);
  return false;
}

std::string next_commands(const std::string& folder, bool has_in_place) {
  const std::string pages =
      shell_line({folder + "/raw.csv"}) + " --source " + shell_line({folder + "/source.csv"}) +
      (has_in_place ? " --in-place " + shell_line({folder + "/raw_in_place.csv"}) : "");
  return "\npredict these launches, and compare with the times:\n"
         "  pnsim derive --ncu " +
         pages + " -o " + shell_line({folder + "/models"}) + "\n  pnsim --model " +
         shell_line({folder + "/models"}) + "\n  experiment validate --pages " + pages +
         " --times " + shell_line({folder + "/times.csv"}) + "\n";
}

// Those of an earlier run: a run that fails leaves none beside its own.
void remove_pages(const ProfileOptions& options, const gpu::CountsJob& job,
                  const std::string& times_file) {
  std::error_code none;
  for (const std::string& file : {job.report, job.raw_csv, job.source_csv, times_file,
                                  in_place_file(options), options.out + "/in_place.ncu-rep"})
    fs::remove(file, none);
}

ExitCode profile(const ProfileOptions& options) {
  if (options.target.empty()) {
    fail_usage("no program: type experiment profile -- ./program ARGUMENTS");
  }
  if (!std::isfinite(options.limit_s)) fail_usage("--time-limit: expected a number of seconds");
  const std::vector<std::string> target = resolved(options.target);
  gpu::CountsJob job{.target = target,
                     .report = options.out + "/program.ncu-rep",
                     .raw_csv = options.out + "/raw.csv",
                     .source_csv = options.out + "/source.csv",
                     .cold = false,
                     .selection = {},
                     .limit_s = options.limit_s};
  const std::string times_file = options.out + "/times.csv";
  const std::string recorder = gpu::find_recorder();
  const TimedRuns runs{target, recorder, options.out, options.runs, options.limit_s};
  for (const std::string& word : target) note_input(word);
  note_input(recorder);
  check_folder(options, runs,
               {job.report, job.raw_csv, job.source_csv, times_file, in_place_file(options),
                counted_in_place_file(options), options.out + "/in_place.ncu-rep"});
  find_ncu();  // error 4 before the program runs
  make_folder(options.out);
  write_file_whole(mark_file(options), "");

  const auto [agreed, are_instrumented] = timed_launches(runs, measured_offset_us(recorder));
  const gpu::LaunchChoice choice = gpu::choose_launches(agreed.launches, options.most);
  if (choice.launches.empty()) {
    fail_usage(
        "--most " + std::to_string(options.most) + " is too few: the smallest choice has " +
        std::to_string(choice.least) +
        " launches, because the profiler selects kernels, not single launches; type --most " +
        std::to_string(choice.least));
  }
  // Launches that differ from run to run may be profiled as well.
  job.selection = gpu::selection_arguments(choice, agreed.differing == 0);
  remove_pages(options, job, times_file);
  spdlog::info("profiling {} launches", choice.launches.size());
  gpu::collect_counts(job);
  check_page(job.raw_csv, PageKind::kRaw);
  check_page(job.source_csv, PageKind::kSource);
  const std::vector<gpu::PageLaunch> page = launches_of_page(job.raw_csv);
  const MatchedLaunches launches = gpu::match_page(page, choice.launches, job.raw_csv);
  add_stands_for(job.raw_csv, launches);
  write_file_whole(times_file, times_table(page, launches, are_instrumented));
  const bool has_in_place = !options.is_repeated && add_in_place(options, job, launches);
  write_stdout(launches_text(page, launches) + "\n" + summary_text(choice, agreed, page.size()) +
               untimed_text(launches) + next_commands(options.out, has_in_place));
  return ExitCode::kOk;
}

}  // namespace

void add_profile_command(CLI::App& app, Invocation& invocation) {
  CLI::App* sub = app.add_subcommand(
      "profile", "run a program, and make profiler pages and times of its kernel launches");
  auto options = std::make_shared<ProfileOptions>();
  sub->add_option("program", options->target, "after `--`: the program and its arguments");
  sub->add_option("-o,--out", options->out, "folder of raw.csv, source.csv and times.csv")
      ->capture_default_str();
  sub->add_option("--runs", options->runs,
                  "timed runs of each kind of record; a time is their median")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  sub->add_option("--most", options->most, "profile at most so many launches")
      ->check(CLI::Range(std::size_t{1}, kMostLaunches))
      ->capture_default_str();
  sub->add_flag("--repeated", options->is_repeated,
                "do not run the program a few times more to count what each launch finds in L2; "
                "it is then predicted as if it were repeated");
  sub->add_option(
         "--time-limit", options->limit_s,
         "end the program, or the profiler with it, when one run takes longer (exit code 5)")
      ->option_text("SECONDS")
      ->check(CLI::Range(1e-3, 1e9));
  sub->callback(
      [&invocation, options] { invocation.action = [options] { return profile(*options); }; });
}

}  // namespace pnsim::experiments
