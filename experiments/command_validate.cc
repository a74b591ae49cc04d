// experiment validate [SPEC|all]
#include <spdlog/spdlog.h>

#include <algorithm>

#include "experiments/commands.h"
#include "experiments/options.h"
#include "experiments/validation_report.h"
#include "simulator/base/data_files.h"
#include "simulator/base/nearest.h"
#include "simulator/base/output.h"
#include "simulator/base/provenance.h"

namespace pnsim::experiments {
namespace {

struct ValidateOptions {
  std::string spec = "all";
  std::vector<std::string> nets{"sm", "wpnm"};
  std::vector<std::string> modes{"warm"};
  std::string device;  // "" for the first spec's
  bool ablation = false;
  std::string out = "results-out/validation";
  std::string engine = "auto";
  RunOptions run;
  OutputOptions output;
};

void check_modes(const std::vector<std::string>& modes) {
  const std::vector<std::string> known{"warm", "cold"};
  for (auto mode = modes.begin(); mode != modes.end(); ++mode) {
    if (std::find(known.begin(), known.end(), *mode) == known.end()) {
      fail_usage("--mode: unknown \"" + *mode + "\"" + suggestion(*mode, known));
    }
    if (std::find(modes.begin(), mode, *mode) != mode) {
      fail_usage("--mode: " + *mode + " stands twice");
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

Validation collected(const ValidateOptions& options, const std::string& command) {
  const std::vector<Spec> specs = load_specs(options.spec);
  const DeviceProfile device =
      load_device_profile(options.device.empty() ? specs.at(0).device : options.device);
  Validation out;
  out.set = collect_points(specs, device, RecordedResults(device.name), options.modes);
  out.seed = options.run.seed;
  out.replicas = options.run.replicas;
  out.engine = engine_name(parse_engine(options.engine));
  out.version = program_version();
  out.commit = build_commit();
  out.date = utc_now();
  out.command = command;
  return out;
}

ExitCode validate(const ValidateOptions& options, const Invocation& invocation) {
  check_output(options.output);
  check_modes(options.modes);
  Validation validation = collected(options, invocation.command_line);
  PredictorRequest request{options.nets, options.ablation, options.run};
  request.options.engine = parse_engine(options.engine);
  const std::vector<Predictor> predictors = make_predictors(request, validation.set);
  make_folder(options.out);
  for (const Predictor& predictor : predictors) {
    spdlog::info("{} points by {}", validation.set.points.size(), predictor.name);
    PredictedTimes times = predictor.predict(validation.set.points);
    validation.predicted.push_back({predictor.name, predictor.about, std::move(times.note),
                                    predictor.is_ablation, std::move(times.us)});
  }
  write_validation(options.out, validation);
  spdlog::info("tables, rows and plots are in {}", options.out);
  write_output(options.output,
               {validation_text(validation), validation_json(validation).dump(1) + "\n",
                validation_csv(validation)});
  return ExitCode::kOk;
}

}  // namespace

void add_validate_command(CLI::App& app, Invocation& invocation) {
  CLI::App* sub = app.add_subcommand(
      "validate", "nets and analytical models against every recorded time of known programs");
  auto options = std::make_shared<ValidateOptions>();
  sub->add_option("SPEC", options->spec, "a name of `experiment list`, a file, or all")
      ->capture_default_str();
  sub->add_option("--nets", options->nets, "net templates, the one to be validated first")
      ->delimiter(',')
      ->capture_default_str();
  sub->add_option("--mode", options->modes, "of the recorded times: warm, cold or warm,cold")
      ->delimiter(',')
      ->capture_default_str();
  sub->add_flag("--ablation", options->ablation,
                "also the nets of an SM with one module switched off at a time");
  sub->add_option("--out", options->out, "folder of the tables, rows and plots")
      ->capture_default_str();
  sub->add_option("--device", options->device, "device profile and recorded times (the spec's)");
  add_simulation_flags(*sub, options->run, options->engine);
  add_json_flag(*sub, options->output);
  add_csv_flag(*sub, options->output);
  sub->callback([&invocation, options] {
    invocation.action = [&invocation, options] { return validate(*options, invocation); };
  });
}

}  // namespace pnsim::experiments
