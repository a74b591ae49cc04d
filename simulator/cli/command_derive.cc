// pnsim derive: makes kernel models from the pages of Nsight Compute.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "simulator/base/error.h"
#include "simulator/base/numbers.h"
#include "simulator/base/output.h"
#include "simulator/base/process.h"
#include "simulator/base/provenance.h"
#include "simulator/cli/commands.h"
#include "simulator/cli/derived_files.h"
#include "simulator/cli/options.h"
#include "simulator/model/derive/derive.h"
#include "simulator/model/derive/page_search.h"
#include "simulator/model/derive/profile_pages.h"
#include "simulator/model/derive/report_import.h"
#include "simulator/model/device/device_names.h"
#include "simulator/model/memory/cold_launch.h"
#include "simulator/model/sass/kernel_name.h"
#include "simulator/model/sass/page_text.h"

namespace pnsim {
namespace {

struct Derive {
  std::string raw;
  std::string source;
  std::string cold;
  std::string in_place;
  std::string folder;
  bool allow_missing = false;
  double tolerance = 0;  // percent
};

// Adds cold counters from a page of the same launches, each profiled after a flush of all caches.
void add_cold_page(const std::string& page, const std::string& warm_page, ProfilePages& warm) {
  const std::string text = is_ncu_report(page) ? raw_page_of_report(page) : read_file_or_pipe(page);
  if (text == warm.raw) {
    fail_input(page, "is the same page as --ncu; expected one of ncu --cache-control all");
  }
  const RawLaunches cold = read_raw_launches(text, page, cold_profile_line());
  const std::size_t count = warm.launches.size() + warm.skipped.size();
  if (cold.launches.size() != count) {
    fail_input(page, "found " + std::to_string(cold.launches.size()) + " launches, expected the " +
                         std::to_string(count) + " of the other page");
  }
  for (ProfiledLaunch& launch : warm.launches) {
    const ProfiledLaunch& other = cold.launches[launch.position];
    if (const std::string& fault = cold.faults[launch.position]; !fault.empty()) {
      spdlog::warn("no cold counters: {}", fault);
      continue;
    }
    if (other.id != launch.id || other.device != launch.device) {
      fail_input(page, "found launch " + std::to_string(other.id) + " on " + other.device +
                           ", expected launch " + std::to_string(launch.id) + " on " +
                           launch.device + ", as in " + warm_page);
    }
    launch.launch.kernel = launch.kernel;
    const bool is_same = is_same_kernel(other.kernel, launch.kernel);
    add_cold_counters(page + ": launch " + std::to_string(other.id),
                      is_same ? launch.kernel : other.kernel, other.launch, other.memory,
                      launch.launch);
  }
}

// Names devices by the shipped profiles of the GPUs; each name is looked up once.
class DeviceNames {
 public:
  void set(const ProfiledLaunch& launch, KernelModel& model) {
    const auto [device, is_new] = names_.try_emplace(launch.device);
    if (is_new) device->second = profile_name_of(launch.device);
    model.device = device->second.value_or(model.device);
  }

 private:
  std::map<std::string, std::optional<std::string>> names_;  // [as the driver names the GPU]
};

// A folder of `experiment profile`, or of pages.
void refuse_folder(const Derive& command) {
  std::error_code none;
  if (!std::filesystem::is_directory(command.raw, none)) return;
  const auto pages = derive_arguments_in(command.raw);
  fail_input(command.raw, "found a directory, expected a raw page or a report of ncu" +
                              (pages ? "; this reads what the directory holds: pnsim derive " +
                                           *pages + " -o " + shell_line({command.folder})
                                     : ", and the directory holds none"));
}

using ModelFiles = std::vector<std::pair<std::string, std::string>>;  // path and text

// All models are made before one is written. `names` gets the names of the files. Kernels of one ID
// whose names differ in punctuation alone would have one file: the first one has it.
ModelFiles files_of(const Derive& command, const std::vector<ProfiledLaunch>& launches,
                    const Json& provenance, std::set<std::string>& names) {
  ModelFiles files;
  DeviceNames devices;
  for (const ProfiledLaunch& launch : launches) {
    const std::string name = derived_file_name(launch);
    if (!names.insert(name).second) {
      spdlog::warn("skipped: {}: launch {} ({}): the model of another launch is {} already",
                   command.raw, launch.id, launch.kernel, name);
      continue;
    }
    KernelModel model = model_of_launch(launch, provenance);
    devices.set(launch, model);
    files.emplace_back(command.folder + "/" + name, kernel_model_text(model));
  }
  return files;
}

// Whether all is well, and what to type next.
void note_result(const Derive& command, const ProfilePages& pages, std::size_t models) {
  const auto is_tolerated = [](const std::string& note) { return note.starts_with("tolerated: "); };
  const bool differs = std::any_of(pages.notes.begin(), pages.notes.end(), is_tolerated);
  const std::size_t without = pages.launches.size() + pages.skipped.size() - models;
  spdlog::info("{} made, {}{}{}",
               models == 1 ? "1 model was" : std::to_string(models) + " models were",
               without == 0 ? "one for each launch"
                            : "and " + std::to_string(without) + " of the launches have none",
               differs ? "; the tolerated differences need no action" : "",
               pages.warnings.empty() && without == 0 ? "" : "; read the warnings above");
  spdlog::info("next: {}", shell_line({"pnsim", "--model", command.folder}));
}

ExitCode derive(const Derive& command) {
  refuse_folder(command);
  if (!command.cold.empty() && command.source.empty() && !is_ncu_report(command.raw)) {
    fail_usage("--cold requires --source");
  }
  if (!command.in_place.empty() && command.source.empty() && !is_ncu_report(command.raw)) {
    fail_usage("--in-place requires --source");
  }
  ProfilePages pages = read_profile_pages({command.raw, command.source, command.in_place,
                                           command.allow_missing, command.tolerance / 100});
  for (const std::string& note : pages.notes) spdlog::info("{}", note);
  for (const std::string& warning : pages.warnings) spdlog::warn("{}", warning);
  if (pages.launches.front().launch.segments.empty()) {
    spdlog::info(
        "the models have only counts, which the paper's net needs; add --source SOURCE.csv for the "
        "warp programs that the SM net needs");
  }
  if (!command.cold.empty()) add_cold_page(command.cold, command.raw, pages);
  Json provenance;
  provenance["from"] = name_for_json(std::filesystem::path(command.raw).filename().string());
  provenance["command"] = kDeriveCommand;
  provenance["date"] = utc_now();
  provenance["commit"] = build_commit();
  std::set<std::string> names;
  const ModelFiles files = files_of(command, pages.launches, provenance, names);
  for (const auto& [path, text] : files) check_output_files({path});
  make_folder(command.folder);
  std::string listing;
  for (const auto& [path, text] : files) {
    write_file_whole(path, text);
    listing += path + "\n";
  }
  for (const std::string& file :
       remove_models_of_skipped(command.folder, provenance["from"], pages.skipped, names)) {
    spdlog::warn("removed {}: an earlier run made it of a launch that is now skipped", file);
  }
  note_other_models(command.folder, names);
  write_stdout(listing);
  note_result(command, pages, files.size());
  return ExitCode::kOk;
}

}  // namespace

void add_derive_command(CLI::App& app, Action& action) {
  auto command = std::make_shared<Derive>();
  CLI::App* sub = app.add_subcommand("derive", "kernel models from Nsight Compute's pages");
  sub->add_option(
         "--ncu", command->raw,
         "raw page: ncu --import REP --page raw --csv; or the report itself (REP.ncu-rep), "
         "of which an installed ncu prints both pages")
      ->required();
  sub->add_option(
      "--source", command->source,
      "source page: ncu --import REP --page source --csv --print-source sass; the "
      "models then have warp programs; its counts must equal the raw page's, except where "
      "branches and predicates differ from run to run");
  sub->add_option("--cold", command->cold,
                  "raw page of the same launches with ncu --cache-control all: what `pnsim --model "
                  "... --cold` needs to know");
  sub->add_option("--in-place", command->in_place,
                  "raw page of the same launches with ncu --replay-mode application: their misses "
                  "in L2 and bytes of DRAM between the other launches of the program; without it, "
                  "each launch is predicted as if it were repeated");
  sub->add_flag(
      "--allow-missing", command->allow_missing,
      "go on without columns that decide the predicted time; the models keep their names, "
      "and each prediction warns of them");
  sub->add_option("--tolerance", command->tolerance,
                  "accept launches of which a sum differs by up to PERCENT between the pages")
      ->option_text("PERCENT")
      ->check(fault_of_percent);
  sub->add_option("-o,--output", command->folder, "folder for NNNN-kernel.json")->required();
  sub->callback([command, &action] { action = [command] { return derive(*command); }; });
}

}  // namespace pnsim
