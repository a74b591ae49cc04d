// experiment counts: imports instruction counts from the profiler into kernel models.
#include <spdlog/spdlog.h>

#include <filesystem>

#include "experiments/cli/commands.h"
#include "experiments/measure/counts_import.h"
#include "experiments/measure/counts_store.h"
#include "experiments/measure/measuring.h"
#include "experiments/spec/device_file.h"
#include "experiments/spec/options.h"
#include "experiments/spec/spec.h"
#include "gpu/counts.h"
#include "gpu/input_cache.h"
#include "simulator/base/data_files.h"
#include "simulator/base/leftovers.h"
#include "simulator/base/output.h"

namespace pnsim::experiments {
namespace {

namespace fs = std::filesystem;

struct CountsOptions {
  std::vector<std::string> axes;
  std::string spec;  // "": the axes of the catalogue
  bool all_passes = false;
  bool cold = false;
  std::vector<std::string> raw, manifests, sources;  // --import
  std::string root;                                  // "": the data folder
  std::string keep;                                  // folder of the pages; "": a temporary one
};

CountsFiles files_of(const std::string& program, const CountsOptions& options,
                     const std::string& folder) {
  const std::string stem = folder + "/" + program;
  return {stem + ".raw.csv", stem + ".manifest.jsonl", options.cold ? "" : stem + ".source.csv"};
}

std::string report_of(const std::string& program, const std::string& folder) {
  return folder + "/" + program + ".ncu-rep";
}

// The profiler writes these files itself, so they are checked before it starts. Later they are
// inputs, and with --spec all a program may be profiled twice.
void check_pages(const std::vector<std::string>& programs, const CountsOptions& options) {
  if (options.keep.empty()) return;
  for (const std::string& program : programs) {
    const CountsFiles files = files_of(program, options, options.keep);
    check_output_files({files.raw, files.manifest, files.source, report_of(program, options.keep)});
  }
}

// Profiles one program in a process of its own.
CountsFiles collect(const std::string& program, const std::vector<Axis>& axes,
                    const CountsOptions& options, const std::string& folder) {
  const CountsFiles files = files_of(program, options, folder);
  gpu::CountsJob job;
  job.target = {fs::read_symlink("/proc/self/exe").string(),
                "profile-target",
                "--manifest",
                files.manifest,
                "-a",
                "program=" + program};
  for (const Axis& axis : axes) {
    if (axis.name != "program") job.target.insert(job.target.end(), {"-a", axis_text(axis)});
  }
  if (options.all_passes) job.target.push_back("--all-passes");
  job.report = report_of(program, folder);
  job.raw_csv = files.raw;
  job.source_csv = files.source;
  job.cold = options.cold;
  spdlog::info("{}: profiling", program);
  spdlog::debug("{}", gpu::collect_counts(job));
  return files;
}

std::vector<CountsFiles> given_files(const CountsOptions& options) {
  const std::size_t count = options.raw.size();
  if (options.manifests.size() != count) {
    fail_usage("every --import RAW.csv needs its --manifest MANIFEST.jsonl: found " +
               std::to_string(count) + " and " + std::to_string(options.manifests.size()));
  }
  if (options.cold && (!options.sources.empty() || options.all_passes)) {
    fail_usage("--cold takes raw pages of the first passes only: remove --source and --all-passes");
  }
  if (!options.sources.empty() && options.sources.size() != count) {
    fail_usage("expected --source SOURCE.csv for every --import or for none: found " +
               std::to_string(options.sources.size()) + " and " + std::to_string(count));
  }
  std::vector<CountsFiles> files;
  for (std::size_t i = 0; i < count; ++i) {
    files.push_back(
        {options.raw[i], options.manifests[i], options.sources.empty() ? "" : options.sources[i]});
  }
  return files;
}

ExitCode store(const std::vector<CountsFiles>& files, const CountsOptions& options,
               const Invocation& invocation) {
  const std::string root = options.root.empty() ? data_root() : options.root;
  std::string text;
  for (const CountsFiles& pair : files) {
    text += options.cold ? store_cold_counts(pair, root, invocation.command_line)
                         : store_counts(pair, root, invocation.command_line);
  }
  write_stdout(text);
  return ExitCode::kOk;
}

ExitCode counts(const CountsOptions& options, const Invocation& invocation) {
  std::vector<CountsFiles> files = given_files(options);
  if (!files.empty()) return store(files, options, invocation);
  const std::vector<std::vector<Axis>> suites = axes_of_specs(options.spec, options.axes);
  for (const std::vector<Axis>& axes : suites) {
    catalogue_plan(axes, {}, options.all_passes);  // reports errors before anything is profiled
    check_pages(profiled_programs(axes), options);
  }
  if (const auto reason = gpu::unavailable_reason()) fail_unavailable(*reason);
  const TemporaryFolder temporary;
  const std::string folder = options.keep.empty() ? temporary.path() : options.keep;
  make_folder(folder);
  for (const std::vector<Axis>& axes : suites) {
    for (const std::string& program : profiled_programs(axes)) {
      store({collect(program, axes, options, folder)}, options, invocation);
    }
  }
  return ExitCode::kOk;
}

}  // namespace

void add_counts_command(CLI::App& app, Invocation& invocation) {
  CLI::App* sub = app.add_subcommand("counts", "profile programs and make their kernel models");
  auto options = std::make_shared<CountsOptions>();
  add_axis_flag(*sub, options->axes,
                "points instead of all: n[pow2]=[12:16], program=[radix_shared]");
  sub->add_option("--import", options->raw, "a raw page made before (repeatable, with --manifest)")
      ->allow_extra_args(false);
  sub->add_option("--manifest", options->manifests, "the manifest of that page")
      ->allow_extra_args(false);
  sub->add_option("--source", options->sources, "the source page of that report (repeatable)")
      ->allow_extra_args(false);
  add_spec_flag(*sub, options->spec);
  sub->add_flag("--all-passes", options->all_passes,
                "every pass at a program's default point, not only the first and the last");
  sub->add_flag("--cold", options->cold,
                "instead: import the misses of launches with flushed caches into existing models");
  sub->add_option("-o,--out", options->root,
                  "folder that gets models/ and results/ (the data folder)");
  sub->add_option("--keep", options->keep, "keep the profiler's pages in this folder");
  sub->callback([&invocation, options] {
    invocation.action = [&invocation, options] { return counts(*options, invocation); };
  });
}

void add_profile_target_command(CLI::App& app, Invocation& invocation) {
  CLI::App* sub = app.add_subcommand("profile-target", "launches points under the profiler");
  sub->group("");  // hidden from the help
  auto axes = std::make_shared<std::vector<std::string>>();
  auto manifest = std::make_shared<std::string>();
  auto all_passes = std::make_shared<bool>(false);
  add_axis_flag(*sub, *axes, "points");
  sub->add_flag("--all-passes", *all_passes, "every pass at the default point");
  sub->add_option("--manifest", *manifest, "file that names the launches")->required();
  sub->callback([&invocation, axes, manifest, all_passes] {
    invocation.action = [axes, manifest, all_passes] {
      gpu::InputCache inputs;
      gpu::run_for_profiler(catalogue_plan(parse_axes(*axes), {}, *all_passes), *manifest, inputs);
      return ExitCode::kOk;
    };
  });
}

}  // namespace pnsim::experiments
