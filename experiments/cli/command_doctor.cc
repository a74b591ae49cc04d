// experiment doctor: shows what is built in and found, and how to get what is missing.
#include "experiments/cli/commands.h"
#include "experiments/spec/options.h"
#include "gpu/live.h"
#include "gpu/record.h"
#include "simulator/base/data_files.h"
#include "simulator/base/gpu_probe.h"
#include "simulator/base/ncu.h"
#include "simulator/base/provenance.h"
#include "simulator/base/rows.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

struct Finding {
  std::string what;
  bool is_there = false;
  std::string text;  // what was found, or what to do
};

Finding live_build() {
  if (gpu::live_built()) return {"CUDA in this build", true, "yes"};
  return {"CUDA in this build", false,
          "no: live runs need the CUDA Toolkit and a build with -DPNSIM_GPU=ON"};
}

Finding driver_and_device() {
  const int count = cuda_device_count();
  if (count > 0) return {"GPU", true, std::to_string(count) + " found by the driver"};
  return {"GPU", false, "none: no driver or no device; recorded times are used instead"};
}

Finding live_runs() {
  const auto reason = gpu::unavailable_reason();
  return {"live runs", !reason, reason ? *reason : gpu::query_device().name};
}

Finding profiler() {
  try {
    return {"profiler", true, find_ncu()};
  } catch (const Error& error) {
    return {"profiler", false, error.what()};
  }
}

Finding recorder() {
  try {
    return {"recorder", true, gpu::find_recorder()};
  } catch (const Error& error) {
    return {"recorder", false, error.what()};
  }
}

Finding shipped(const std::string& what, const std::string& folder, const std::string& remedy) {
  const std::vector<std::string> names = shipped_names(folder);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return {what, !names.empty(), names.empty() ? remedy : text};
}

Finding results_of(const std::string& device) try {
  std::size_t times = 0, scales = 0;
  for (const InputJson& row : recorded_rows(device)) {
    const std::string kind = row.value("kind", "");
    times += kind == "time" ? 1 : 0;
    scales += kind == "time_scale" ? 1 : 0;
  }
  const std::string text =
      std::to_string(times) + " times, " + std::to_string(scales) + " time scales";
  if (times == 0) return {"results/" + device, false, text + ": experiment measure"};
  if (scales == 0) return {"results/" + device, false, text + ": experiment calibrate"};
  return {"results/" + device, true, text};
} catch (const Error& error) {  // a file that is broken is a finding
  return {"results/" + device, false, error.what()};
}

Finding data_folder() {
  try {
    return {"data folder", true, data_root()};
  } catch (const Error& error) {
    return {"data folder", false, error.what()};
  }
}

std::vector<Finding> findings() {
  std::vector<Finding> out{{"version", true, program_version() + ", commit " + build_commit()},
                           data_folder(),
                           live_build(),
                           driver_and_device(),
                           live_runs(),
                           profiler(),
                           recorder()};
  if (!out[1].is_there) return out;
  out.push_back(shipped("experiments", "experiments/specs", "none in experiments/specs"));
  out.push_back(shipped("kernel models", "models", "none: experiment counts"));
  out.push_back(shipped("net templates", "models/nets", "none in models/nets"));
  out.push_back(shipped("devices", "models/devices", "none: experiment device"));
  for (const std::string& device : shipped_names("models/devices")) {
    out.push_back(results_of(device));
  }
  return out;
}

ExitCode doctor(const OutputOptions& output) {
  TextTable table({"item", "found", "details, or what to do"});
  Json json = Json::array();
  for (const Finding& finding : findings()) {
    table.add_row({finding.what, finding.is_there ? "yes" : "no", finding.text});
    json.push_back({{"what", finding.what}, {"there", finding.is_there}, {"text", finding.text}});
  }
  write_output(output, {table.text(), json.dump(1) + "\n", ""});
  return ExitCode::kOk;
}

}  // namespace

void add_doctor_command(CLI::App& app, Invocation& invocation) {
  CLI::App* sub = app.add_subcommand("doctor", "what is built in and what is found here");
  auto output = std::make_shared<OutputOptions>();
  add_json_flag(*sub, *output);
  sub->callback(
      [&invocation, output] { invocation.action = [output] { return doctor(*output); }; });
}

}  // namespace pnsim::experiments
