// pnsim derive: makes kernel models from the pages of Nsight Compute.
#include <spdlog/spdlog.h>

#include <cstdio>
#include <filesystem>
#include <set>

#include "simulator/base/error.h"
#include "simulator/base/output.h"
#include "simulator/base/provenance.h"
#include "simulator/cli/commands.h"
#include "simulator/cli/options.h"
#include "simulator/model/derive/derive.h"
#include "simulator/model/derive/profile_pages.h"
#include "simulator/model/memory/cold_launch.h"

namespace pnsim {
namespace {

struct Derive {
  std::string raw;
  std::string source;
  std::string cold;
  std::string folder;
};

// Replaces all but letters, digits and '_' in a kernel's name. File systems allow 255 bytes.
std::string file_name(const ProfiledLaunch& launch) {
  char number[16];
  std::snprintf(number, sizeof number, "%04d-", launch.id);
  std::string name = number;
  constexpr std::size_t kMostOfName = 120;
  for (const char c : launch.kernel.substr(0, kMostOfName))
    name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name + ".json";
}

// Adds cold counters from a page of the same launches, each profiled after a flush of all caches.
void add_cold_page(const std::string& page, const std::string& warm_page,
                   std::vector<ProfiledLaunch>& launches) {
  const std::string text = read_file(page);
  if (text == read_file(warm_page)) {
    fail_input(page, "is the same page as --ncu; expected one of ncu --cache-control all");
  }
  const std::vector<ProfiledLaunch> cold = read_ncu_raw(text, page);
  if (cold.size() != launches.size()) {
    fail_input(page, "found " + std::to_string(cold.size()) + " launches, expected the " +
                         std::to_string(launches.size()) + " of the other page");
  }
  for (std::size_t i = 0; i < launches.size(); ++i) {
    if (cold[i].id != launches[i].id || cold[i].device != launches[i].device) {
      fail_input(page, "found launch " + std::to_string(cold[i].id) + " on " + cold[i].device +
                           ", expected launch " + std::to_string(launches[i].id) + " on " +
                           launches[i].device + ", as in " + warm_page);
    }
    launches[i].launch.kernel = launches[i].kernel;
    add_cold_counters(page + ": launch " + std::to_string(cold[i].id), cold[i].kernel,
                      cold[i].launch, cold[i].memory, launches[i].launch);
  }
}

ExitCode derive(const Derive& command) {
  ProfilePages pages = read_profile_pages(command.raw, command.source);
  for (const std::string& note : pages.notes) spdlog::info("{}", note);
  for (const std::string& warning : pages.warnings) spdlog::warn("{}", warning);
  if (command.source.empty()) {
    spdlog::info(
        "the models have only counts, which the paper's net needs; add --source SOURCE.csv for the "
        "warp programs that the SM net needs");
  }
  std::vector<ProfiledLaunch>& launches = pages.launches;
  if (!command.cold.empty()) add_cold_page(command.cold, command.raw, launches);
  Json provenance;
  provenance["from"] = std::filesystem::path(command.raw).filename().string();
  provenance["command"] = "pnsim derive";
  provenance["date"] = utc_now();
  provenance["commit"] = build_commit();
  std::vector<std::pair<std::string, std::string>> files;  // all are made before one is written
  std::set<std::string> names;
  for (const ProfiledLaunch& launch : launches) {
    const std::string name = file_name(launch);
    if (!names.insert(name).second) {
      fail_input(command.raw, "found the ID " + std::to_string(launch.id) +
                                  " twice, for two launches of " + launch.kernel +
                                  ": the ID names the file of each model");
    }
    files.emplace_back(command.folder + "/" + name,
                       kernel_model_text(model_of_launch(launch, provenance)));
  }
  for (const auto& [path, text] : files) check_output_files({path});
  make_folder(command.folder);
  std::string listing;
  for (const auto& [path, text] : files) {
    write_file_whole(path, text);
    listing += path + "\n";
  }
  write_stdout(listing);
  return ExitCode::kOk;
}

}  // namespace

void add_derive_command(CLI::App& app, Action& action) {
  auto command = std::make_shared<Derive>();
  CLI::App* sub = app.add_subcommand("derive", "kernel models from Nsight Compute's pages");
  sub->add_option("--ncu", command->raw, "raw page: ncu --import REP --page raw --csv")->required();
  CLI::Option* source = sub->add_option(
      "--source", command->source,
      "source page: ncu --import REP --page source --csv --print-source sass; the "
      "models then have warp programs; its counts must equal the raw page's, except where "
      "divergent branches differ from run to run");
  sub->add_option("--cold", command->cold,
                  "raw page of the same launches with ncu --cache-control all: what `pnsim --model "
                  "... --cold` needs to know")
      ->needs(source);
  sub->add_option("-o,--output", command->folder, "folder for NNNN-kernel.json")->required();
  sub->callback([command, &action] { action = [command] { return derive(*command); }; });
}

}  // namespace pnsim
