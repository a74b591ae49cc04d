// experiment measure: measures the catalogue's programs on this machine.
#include <spdlog/spdlog.h>

#include "experiments/cli/commands.h"
#include "experiments/measure/measuring.h"
#include "experiments/spec/device_file.h"
#include "experiments/spec/options.h"
#include "experiments/spec/spec.h"
#include "simulator/base/data_files.h"
#include "simulator/base/output.h"

namespace pnsim::experiments {
namespace {

struct MeasureOptions {
  std::vector<std::string> axes;
  std::string spec;  // "": the axes of the catalogue
  int samples = 0;   // exact number of samples; 0: as many as the noise requires
  std::string mode = "warm";
  std::string distribution = "uniform";
  std::uint64_t seed = 1;
  std::string out;  // "": results/<device>/times.jsonl
  bool resume = false;
};

// Takes exactly this number of samples, whatever the noise.
gpu::SamplingRules exactly(int samples) {
  gpu::SamplingRules rules;
  rules.min_samples = rules.max_samples = samples;
  rules.max_rel_error = 0;
  rules.time_limit_s = 600;
  return rules;
}

ExitCode measure(const MeasureOptions& options, const Invocation& invocation) {
  MeasureJob job;
  const gpu::Input input{gpu::parse_distribution(options.distribution), options.seed};
  for (const std::vector<Axis>& axes : axes_of_specs(options.spec, options.axes)) {
    const std::vector<gpu::Point> points = catalogue_points(axes, input);
    job.points.insert(job.points.end(), points.begin(), points.end());
  }
  if (options.samples > 0) job.rules = exactly(options.samples);
  job.mode = parse_mode(options.mode);
  job.resume = options.resume;
  job.command = invocation.command_line;
  std::string file = options.out;
  if (!file.empty()) static_cast<void>(OutputFile::stored(file, ShippedFolder::kResults));
  const std::string device = device_folder(measuring_device(job.points).name);
  if (file.empty()) {
    const std::string folder = data_root() + "/results/" + device;
    make_folder(OutputFile::stored(folder, ShippedFolder::kResults));
    file = folder + "/times.jsonl";
  }
  spdlog::info("{} points on {}; rows are appended to {}", job.points.size(), device, file);
  const std::size_t measured = measure_all(job, OutputFile::stored(file, ShippedFolder::kResults),
                                           [](const std::string& line) { spdlog::info(line); });
  write_stdout("measured " + std::to_string(measured) + " points, " +
               std::to_string(job.points.size() - measured) +
               " were skipped (they have a row): " + file + "\n");
  return ExitCode::kOk;
}

}  // namespace

void add_measure_command(CLI::App& app, Invocation& invocation) {
  CLI::App* sub = app.add_subcommand("measure", "measure times on this machine");
  auto options = std::make_shared<MeasureOptions>();
  add_axis_flag(*sub, options->axes,
                "points instead of all: n[pow2]=[12:16], block=[64,256], program=[radix_shared]");
  add_spec_flag(*sub, options->spec);
  sub->add_option("--samples", options->samples,
                  "number of samples, in five rounds; 0: as many as the noise requires")
      ->check(CLI::Range(0, 100'000))
      ->capture_default_str();
  sub->add_option("--mode", options->mode,
                  "warm: back to back; cold: one by one, the L2 cache flushed before each; single: "
                  "one by one")
      ->capture_default_str();
  sub->add_option("--distribution", options->distribution, "distribution of the input's keys")
      ->capture_default_str();
  sub->add_option("--seed", options->seed, "seed of the input's keys")->capture_default_str();
  sub->add_option("--out", options->out, "file of the rows (results/DEVICE/times.jsonl)");
  sub->add_flag("--resume", options->resume, "skip points that already have a row in the file");
  sub->callback([&invocation, options] {
    invocation.action = [&invocation, options] { return measure(*options, invocation); };
  });
}

}  // namespace pnsim::experiments
