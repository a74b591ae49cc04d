// experiment validate [SPEC|all], or for the user's kernels: experiment validate --pages RAW.csv
// ...
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>

#include "experiments/cli/commands.h"
#include "experiments/spec/options.h"
#include "experiments/tables/reasons_table.h"
#include "experiments/validate/own_points.h"
#include "experiments/validate/validation_html.h"
#include "simulator/base/activity.h"
#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/base/extension.h"
#include "simulator/base/leftovers.h"
#include "simulator/base/nearest.h"
#include "simulator/base/numbers.h"
#include "simulator/base/output.h"
#include "simulator/base/process.h"
#include "simulator/base/provenance.h"
#include "simulator/help/usage_errors.h"
#include "simulator/model/derive/page_search.h"
#include "simulator/model/sass/page_text.h"

namespace pnsim::experiments {
namespace {

struct ValidateOptions {
  std::optional<std::string> spec;  // absent: all
  OwnFiles own;                     // used instead of a spec
  std::vector<std::string> nets;    // empty: sm and wpnm; with --pages: sm
  std::vector<std::string> modes;   // empty: warm
  std::string device;               // "": the first spec's, or with --pages the profiled GPU's
  bool ablation = false;
  std::string sort = "error";
  std::size_t top = 0;
  std::string out = "results-out/validation";
  std::string engine = "auto";
  RunOptions run;
  OutputOptions output;
};

bool is_directory(const std::string& path) {
  std::error_code none;
  return std::filesystem::is_directory(path, none);
}

// A folder of `experiment profile`, or of pages: names its files.
void refuse_folder(const std::string& folder) {
  constexpr std::string_view kNcu = "--ncu ";
  if (!is_directory(folder)) return;
  const auto found = derive_arguments_in(folder);
  const std::string times = folder + "/times.csv";
  std::error_code none;
  const bool has_times = std::filesystem::exists(times, none);
  fail_usage("--pages " + folder + ": found a directory, expected a raw page or a report of ncu" +
             (found ? "; type: experiment validate --pages " + found->substr(kNcu.size()) +
                          " --times " + (has_times ? shell_line({times}) : "TIMES.csv")
                    : ", and the directory holds none"));
}

// "--csv t.csv": the file would be the name of an experiment.
void refuse_output_as_spec(const ValidateOptions& options) {
  const std::string spec = options.spec.value_or("");
  std::error_code none;
  const bool is_csv = options.output.csv == "-" && has_extension(spec, ".csv");
  const bool is_json = options.output.json == "-" && has_extension(spec, ".json") &&
                       (options.own.are_given() || !std::filesystem::exists(spec, none));
  if (!is_csv && !is_json) return;
  const std::string flag = is_csv ? "--csv" : "--json";
  fail_flag_value(spec, "the experiment", flag);
}

// A page, or a folder of models, in the place of the name of an experiment.
void refuse_page_as_spec(const ValidateOptions& options) {
  const std::string spec = options.spec.value_or("");
  if (is_directory(spec)) {
    fail_usage(spec + " is a directory and no experiment; if it has models of pnsim derive: " +
               "experiment validate --models " + shell_line({spec}) + " --times TIMES.csv");
  }
  if (!has_extension(spec, ".csv") && !has_extension(spec, ".ncu-rep")) return;
  fail_usage(spec + " is no experiment; your own kernels: " + kOwnCommand);
}

std::string given_as(const OwnFiles& own) { return own.models.empty() ? "--pages" : "--models"; }

// Models hold what pages would tell.
void check_models(const ValidateOptions& options) {
  const OwnFiles& own = options.own;
  if (own.models.empty()) return;
  if (own.pages.empty() && own.source.empty() && own.in_place.empty() && !own.allow_missing &&
      own.tolerance_percent == 0)
    return;
  fail_usage(
      "--models: expected no --pages, --source, --in-place, --allow-missing or --tolerance "
      "beside it: these belong to pnsim derive, which wrote the models");
}

// The next command would read the outputs as models.
void refuse_outputs_among_models(const ValidateOptions& options) {
  namespace fs = std::filesystem;
  const fs::path models(options.own.models);
  std::error_code none;
  if (models.empty()) return;
  if (fs::equivalent(models, options.out, none)) {
    const fs::path folder = models.has_filename() ? models : models.parent_path();
    fail_usage("--out " + options.out +
               " is the folder of --models, and summary.json would be one of its models: name "
               "another folder, as in --out " +
               shell_line({folder.string() + "-validation"}));
  }
  for (const std::string& file : {options.output.json, options.output.csv, options.output.html}) {
    if (file.empty() || file == "-" || !has_extension(file, ".json")) continue;
    const fs::path parent = fs::path(file).parent_path();
    if (!fs::equivalent(models, parent.empty() ? fs::path(".") : parent, none)) continue;
    fail_usage("the output " + file + " would be one of the folder's models: name another file");
  }
}

// The files of the validation. A folder with a run of an experiment is refused: both write a
// points.csv, a summary.json and a report.md.
void check_folder(const ValidateOptions& options) {
  std::vector<std::string> files;
  for (const std::string& name : validation_files()) files.push_back(options.out + "/" + name);
  check_output_apart(options.output, files);
  check_output_folders(options.output, options.out);
  std::error_code none;
  if (const std::string run = options.out + "/run.json"; std::filesystem::exists(run, none)) {
    fail_usage(run +
               ": found a run of an experiment, expected no tables that would be replaced: "
               "name another folder with --out");
  }
}

// Accepts either recorded points or the user's kernels, and the latter only with all their files.
void check_own(const ValidateOptions& options) {
  const OwnFiles& own = options.own;
  refuse_output_as_spec(options);
  refuse_page_as_spec(options);
  refuse_folder(own.pages);
  check_models(options);
  if (!own.are_given()) {
    if (own.source.empty() && own.times.empty() && own.in_place.empty()) return;
    fail_usage(
        std::string(!own.source.empty()  ? "--source"
                    : !own.times.empty() ? "--times"
                                         : "--in-place") +
        ": expected --pages RAW.csv as well, the raw page of the same launches" +
        (own.source.empty() && own.in_place.empty() ? ", or --models, a folder of models" : ""));
  }
  if (options.spec) {
    fail_usage("found \"" + *options.spec + "\" beside " + given_as(own) +
               ": give either a SPEC of recorded points or your own kernels");
  }
  if (own.models.empty() && own.source.empty() && !is_ncu_report(own.pages)) {
    fail_usage(
        "--pages: expected --source SOURCE.csv as well, which has the programs of the warps");
  }
  if (own.times.empty()) {
    fail_usage(given_as(own) + ": expected --times TIMES.csv as well, the measured times");
  }
  if (!options.modes.empty())
    fail_usage("--mode cannot be combined with " + given_as(own) + ", whose times are warm");
}

void check_modes(const std::vector<std::string>& modes) {
  const std::vector<std::string> known{"warm", "cold"};
  for (auto mode = modes.begin(); mode != modes.end(); ++mode) {
    if (std::find(known.begin(), known.end(), *mode) == known.end()) {
      fail_usage("--mode: unknown \"" + *mode + "\"" + suggestion(*mode, known));
    }
    if (std::find(modes.begin(), mode, *mode) != mode) {
      fail_usage("--mode: " + *mode + " is given twice");
    }
  }
}

std::vector<Spec> load_specs(const std::string& name_or_all) {
  if (name_or_all != "all") return {load_spec(name_or_all)};
  std::vector<Spec> specs;
  for (const std::string& name : shipped_names("experiments/specs")) {
    specs.push_back(load_spec(name));
  }
  return specs;
}

ValidationSet recorded_points(const ValidateOptions& options) {
  const std::vector<Spec> specs = load_specs(options.spec.value_or("all"));
  const DeviceProfile device =
      load_device_profile(options.device.empty() ? specs.at(0).device : options.device);
  return collect_points(specs, device, RecordedResults(device.name), options.modes);
}

Validation collected(const ValidateOptions& options, const std::string& command) {
  Validation out;
  out.set =
      options.own.are_given() ? own_points(options.own, options.device) : recorded_points(options);
  out.seed = options.run.seed;
  out.replicas = options.run.replicas;
  out.engine = engine_name(parse_engine(options.engine));
  out.version = program_version();
  out.commit = build_commit();
  out.date = utc_now();
  out.command = command;
  out.view = {options.sort == "time", options.top};
  return out;
}

// Why warps wait, by the profiler and by the net: of recorded points on the SM net, whose profiler
// rows are recorded as well.
std::vector<Section> reasons_sections(const ValidateOptions& options, const Validation& v) {
  const auto has_sm = std::find(options.nets.begin(), options.nets.end(), "sm");
  if (options.own.are_given() || has_sm == options.nets.end()) return {};
  try {
    const NetTemplate net = load_net_template(find_data_file("sm", {"models/nets"}));
    RunOptions run = options.run;
    run.engine = parse_engine(options.engine);
    return {{"Reasons of waiting (" + v.set.times.brief + ")",
             reasons_table(RowIndex(v.set.device.name), v.set.device, net, run).text}};
  } catch (const Error& error) {
    if (error.code() != ExitCode::kUnavailable) throw;
    return {};  // no stalls were recorded on this device
  }
}

void write_html(const ValidateOptions& options, const Validation& v) {
  if (options.output.html.empty()) return;
  write_file_whole(options.output.html,
                   validation_html(v, [&] { return reasons_sections(options, v); }));
  spdlog::info("the report is in {}", options.output.html);
}

// [point] predictions of the first net for the GPU that was profiled; not a number where it cannot
// predict for it.
std::vector<double> times_on_profiled_gpu(const PredictorRequest& request, ValidationSet& set) {
  const DeviceProfile predicted_for =
      std::exchange(set.device, load_device_profile(set.times.device));
  std::vector<double> us(set.points.size(), std::numeric_limits<double>::quiet_NaN());
  try {
    const PredictorRequest first{{request.nets.front()}, false, request.options};
    const std::vector<std::string> why = refusals(first.nets, set);
    std::vector<ValidationPoint> points;
    for (std::size_t i = 0; i < why.size(); ++i) {
      if (why[i].empty()) points.push_back(set.points[i]);
    }
    const std::vector<double> predicted = make_predictors(first, set).front().predict(points).us;
    auto next = predicted.begin();
    for (std::size_t i = 0; i < why.size(); ++i) {
      if (why[i].empty()) us[i] = *next++;
    }
  } catch (const Error& error) {
    if (error.code() != ExitCode::kBadInput && error.code() != ExitCode::kUnavailable) throw;
  }
  set.device = predicted_for;
  return us;
}

// A prediction that is far from the profiler's time on the profiled GPU is as doubtful on another.
void add_far_of_profiled_gpu(const PredictorRequest& request, ValidationSet& set) {
  if (set.times.other_gpu.empty() || !is_profiled(set.times.device)) return;
  const std::vector<double> profiled = profiled_times(set);
  const std::vector<double> us = times_on_profiled_gpu(request, set);
  for (std::size_t i = 0; i < us.size(); ++i) {
    if (std::isnan(profiled[i]) || std::isnan(us[i])) continue;
    auto far = warning_of_distance(us[i], profiled[i]);
    if (!far) continue;
    far->text = "On " + set.times.device + ", where it was profiled: " + far->text;
    set.points[i].warnings.push_back(*far);
  }
}

ExitCode validate(ValidateOptions options, const Invocation& invocation) {
  for (const std::string& file : {options.own.pages, options.own.source, options.own.times})
    note_input(file);
  check_output(options.output);
  check_output_files({options.out});
  check_own(options);
  refuse_outputs_among_models(options);
  check_folder(options);
  if (options.modes.empty()) options.modes = {"warm"};
  if (options.nets.empty()) {
    options.nets = {"sm"};
    if (!options.own.are_given()) options.nets.push_back("wpnm");
  }
  check_modes(options.modes);
  const InterruptText interrupt(
      "experiment: interrupted; nothing was written, because the tables are made at the end");
  const std::vector<std::string> orders{"error", "time"};
  if (std::find(orders.begin(), orders.end(), options.sort) == orders.end()) {
    fail_usage("--sort: unknown \"" + options.sort + "\"" + suggestion(options.sort, orders));
  }
  Validation validation = collected(options, invocation.command_line);
  if (options.own.are_given()) leave_out_refused(options.nets, validation.set);
  PredictorRequest request{options.nets, options.ablation, options.run};
  request.options.engine = parse_engine(options.engine);
  const std::vector<Predictor> predictors = make_predictors(request, validation.set);
  make_folder(options.out);
  add_far_of_profiled_gpu(request, validation.set);
  Task task("predictor", predictors.size(), Task::Parts::kTasks);
  for (const Predictor& predictor : predictors) {
    spdlog::info("{} points by {}", validation.set.points.size(), predictor.name);
    PredictedTimes times = predictor.predict(validation.set.points);
    validation.predicted.push_back({predictor.name, predictor.about, std::move(times.note),
                                    predictor.is_ablation, std::move(times.us)});
    task.add_done();
  }
  leave_out_unfinished(validation.set, validation.predicted);
  if (std::filesystem::exists(options.out + "/summary.json"))
    spdlog::info("{}: the tables of an earlier validation are replaced", options.out);
  write_validation(options.out, validation);
  write_html(options, validation);
  spdlog::info("tables, rows and plots are in {}", options.out);
  write_output(options.output,
               {validation_text(validation), validation_json(validation).dump(1) + "\n",
                validation_csv(validation)});
  return ExitCode::kOk;
}

void add_own_flags(CLI::App& sub, OwnFiles& own) {
  sub.add_option(
      "--pages", own.pages,
      "your own kernels: raw page of their profile (ncu --page raw --csv), or the report "
      "itself (REP.ncu-rep), of which an installed ncu prints both pages");
  sub.add_flag("--allow-missing", own.allow_missing,
               "with --pages: go on without columns that decide the predicted time");
  sub.add_option(
         "--tolerance", own.tolerance_percent,
         "with --pages: accept launches of which a sum differs by up to PERCENT between the "
         "pages")
      ->option_text("PERCENT")
      ->check(fault_of_percent);
  sub.add_option("--source", own.source,
                 "source page of the same launches (ncu --page source --csv --print-source sass)");
  sub.add_option("--in-place", own.in_place,
                 "with --pages: raw page of the same launches with ncu --replay-mode application "
                 "(docs/derive.md)");
  sub.add_option(
      "--models", own.models,
      "in place of pages: the folder of their models that pnsim derive -o wrote; models and "
      "times go together in the order of the profiler's IDs");
  sub.add_option(
      "--times", own.times,
      "their measured times, one row per launch: CSV with the columns index, kernel, problem, "
      "block, time_us and optionally config and instrumented");
}

void add_view_flags(CLI::App& sub, ValidateOptions& options) {
  sub.add_option("--sort", options.sort,
                 "order of the programs and points in tables: error (the largest of the first "
                 "predictor first) or time (the longest measured time first)")
      ->capture_default_str();
  sub.add_option("--top", options.top,
                 "show only the first N programs, and N points instead of ten")
      ->option_text("N")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
}

}  // namespace

void add_validate_command(CLI::App& app, Invocation& invocation) {
  CLI::App* sub = app.add_subcommand("validate",
                                     "nets and analytical models against every recorded time of "
                                     "known programs, or of your own kernels");
  auto options = std::make_shared<ValidateOptions>();
  sub->add_option("SPEC", options->spec, "a name of `experiment list`, a file, or all")
      ->default_str("all");
  add_own_flags(*sub, options->own);
  sub->add_option("--nets", options->nets,
                  "net templates; the first one is validated; with --pages or --models: sm")
      ->delimiter(',')
      ->default_str("sm,wpnm");
  sub->add_option("--mode", options->modes, "mode of the recorded times: warm, cold or warm,cold")
      ->delimiter(',')
      ->default_str("warm");
  sub->add_flag("--ablation", options->ablation,
                "add ablations: the SM nets with one module or heuristic off at a time");
  add_view_flags(*sub, *options);
  sub->add_option("--out", options->out, "folder of the tables, rows and plots")
      ->capture_default_str();
  sub->add_option(
      "--device", options->device,
      "device profile and recorded times (the spec's); with --pages or --models the profile alone "
      "(that of the GPU "
      "that was profiled)");
  add_simulation_flags(*sub, options->run, options->engine);
  add_json_flag(*sub, options->output);
  add_csv_flag(*sub, options->output);
  add_html_flag(*sub, options->output);
  sub->callback([&invocation, options] {
    invocation.action = [&invocation, options] { return validate(*options, invocation); };
  });
}

}  // namespace pnsim::experiments
