// experiment device: makes the complete profile of the GPU of this machine.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>

#include "experiments/cli/commands.h"
#include "experiments/measure/device_profiling.h"
#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/base/extension.h"
#include "simulator/base/output.h"
#include "simulator/base/process.h"
#include "simulator/base/rows.h"
#include "simulator/base/table.h"
#include "simulator/model/device/device_text.h"

namespace pnsim::experiments {
namespace {

struct DeviceOptions {
  std::string name;  // of the profile; "": derived from the driver's name
  std::string out;   // file of the profile; "": models/devices/NAME.json
  std::string rows;  // file of the rows; "": results/NAME/microbench.jsonl, or beside --out
};

// A profile's name is the name of a file and of a folder.
void check_name(const std::string& name) {
  if (!is_profile_name(name)) {
    fail_usage("--name: found \"" + name + "\", expected " + kProfileNames);
  }
}

// A shipped profile describes one card: it is replaced only on request.
void refuse_known(const DeviceOptions& options, const std::string& name) {
  if (!options.name.empty() || !options.out.empty()) return;
  const std::vector<std::string> shipped = shipped_names("models/devices");
  if (std::find(shipped.begin(), shipped.end(), name) == shipped.end()) return;
  fail_usage("this GPU has a profile already, models/devices/" + name +
             ".json: predict with --device " + name + "; or give --name my-" + name +
             " for a profile of this card, or --out FILE");
}

struct Files {
  std::string profile, rows;
};

Files files_of(const DeviceOptions& options, const std::string& name) {
  Files out{options.out, options.rows};
  if (out.rows.empty()) {
    const bool has_end = has_extension(out.profile, ".json");
    out.rows = out.profile.empty()
                   ? data_root() + "/results/" + name + "/microbench.jsonl"
                   : out.profile.substr(0, out.profile.size() - (has_end ? 5 : 0)) + ".jsonl";
  }
  if (out.profile.empty()) out.profile = data_root() + "/models/devices/" + name + ".json";
  return out;
}

std::string summary_text(const DeviceProfile& profile) {
  std::size_t measured = 0, estimated = 0;
  for (const auto& [key, fact] : profile.facts) {
    measured += fact.source.starts_with("experiment microbench") ? 1 : 0;
    estimated += fact.source.starts_with("estimate") ? 1 : 0;
  }
  return std::to_string(profile.facts.size()) + " facts, " + std::to_string(measured) +
         " of them measured" +
         (estimated > 0 ? " and " + std::to_string(estimated) + " estimated" : "");
}

ExitCode make_profile(const DeviceOptions& options, const Invocation& invocation) {
  const auto start = std::chrono::steady_clock::now();
  check_name(options.name);
  const DeviceProfile of_driver = driver_profile(options.name);  // error 4 without a GPU
  const std::string& title = of_driver.title;
  const std::string& name = of_driver.name;
  refuse_known(options, name);
  const Files files = files_of(options, name);
  const OutputFile profile_file = OutputFile::stored(files.profile, ShippedFolder::kDevices);
  const OutputFile rows_file = OutputFile::stored(files.rows, ShippedFolder::kResults);
  spdlog::info("{}: {} facts of the driver", title, of_driver.facts.size());
  const ProfiledGpu found = profile_gpu(of_driver, invocation.command_line,
                                        [](const std::string& line) { spdlog::info(line); });
  for (const std::string& sentence : found.unused) spdlog::warn("not used: {}", sentence);
  if (options.out.empty() && options.rows.empty()) {
    make_folder(OutputFile::stored(data_root() + "/results/" + name, ShippedFolder::kResults));
  }
  for (const InputJson& row : found.rows) append_line(rows_file, row.dump());
  write_file_whole(profile_file, device_profile_text(found.profile));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  const bool is_shipped = options.out.empty();
  write_stdout(title + ": " + summary_text(found.profile) + ", in " + files.profile + "\n" +
               std::to_string(found.rows.size()) + " rows of " + std::to_string(found.rounds) +
               " rounds in " + files.rows + "\n" + fixed(took.count(), 1) +
               " s. Predict for this GPU: pnsim --model matmul_tiled --device " +
               (is_shipped ? name : shell_line({files.profile})) + "\n");
  return ExitCode::kOk;
}

}  // namespace

void add_device_command(CLI::App& app, Invocation& invocation) {
  CLI::App* sub = app.add_subcommand(
      "device", "make the complete profile of the GPU here: driver, microbenchmarks, calibration");
  auto options = std::make_shared<DeviceOptions>();
  sub->add_option("--name", options->name,
                  "name of the profile (derived from the driver's name of the GPU)");
  sub->add_option("--out", options->out, "file of the profile (models/devices/NAME.json)");
  sub->add_option("--rows", options->rows,
                  "file of the measured rows (results/NAME/microbench.jsonl; with --out beside "
                  "that file)");
  sub->callback([&invocation, options] {
    invocation.action = [&invocation, options] { return make_profile(*options, invocation); };
  });
}

}  // namespace pnsim::experiments
