#include "experiments/validate/own_launches.h"

#include <spdlog/spdlog.h>

#include <cstdint>
#include <limits>
#include <utility>

#include "simulator/base/error.h"
#include "simulator/base/extension.h"
#include "simulator/base/json.h"
#include "simulator/model/device/device_names.h"

namespace pnsim::experiments {
namespace {

// Returns the model as `pnsim --model` reads it from the file of `pnsim derive`. That file has
// rounded numbers, so the predictions are identical.
KernelModel as_written(const KernelModel& model) {
  const InputJson json = parse_json(kernel_model_text(model), model.name);
  return read_kernel_model(JsonReader(json, model.name));
}

// The report has each skipped launch with its reason.
void log_warnings(const std::vector<std::string>& warnings) {
  const std::string above = "for the reasons above";
  for (std::string text : warnings) {
    if (text.starts_with("skipped: ")) continue;
    const std::size_t at = text.find(above);
    if (at != std::string::npos) text.replace(at, above.size(), "for the reasons in the report");
    spdlog::warn("{}", text);
  }
}

OwnLaunches of_pages(const OwnFiles& files) {
  ProfilePages pages = read_profile_pages({files.pages, files.source, files.in_place,
                                           files.allow_missing, files.tolerance_percent / 100});
  for (const std::string& note : pages.notes) spdlog::info("{}", note);
  log_warnings(pages.warnings);
  OwnLaunches out{.launches = std::move(pages.launches),
                  .models = {},
                  .skipped = std::move(pages.skipped),
                  .from = files.pages};
  for (const ProfiledLaunch& launch : out.launches)
    out.models.push_back(as_written(model_of_launch(launch, Json::object())));
  return out;
}

std::vector<std::string> models_in(const std::string& folder) {
  FilesOfFolder files = files_of_folder(folder, ".json", "a folder of pnsim derive -o");
  if (files.paths.empty()) {
    fail_input(folder, "found no model (*.json), expected those that pnsim derive -o writes");
  }
  return std::move(files.paths);
}

// What a model tells of its profiled launch.
ProfiledLaunch launch_of(const KernelModel& model, const std::string& path) {
  if (model.points.size() != 1 || model.points[0].launches.size() != 1)
    fail_input(path, "found a model of several launches, expected one of one profiled launch");
  ProfiledLaunch out;
  out.launch = model.points[0].launches[0];
  if (out.launch.segments.empty())
    fail_input(path, "found only counts, expected a model that was derived with a source page");
  out.kernel = out.launch.kernel;
  const Json& from = model.provenance;
  const auto id = from.find("profiler_id"), on = from.find("profiled_on"),
             us = from.find("profiled_us");
  const auto is_id = [](const Json& number) {
    return number.is_number_unsigned() &&
           number.get<std::uint64_t>() <= std::numeric_limits<int>::max();
  };
  if (id == from.end() || !is_id(*id))
    fail_input(path, "found no ID in /provenance/profiler_id, expected a model of pnsim derive");
  if (on == from.end() || !on->is_string())
    fail_input(path, "found no GPU in /provenance/profiled_on, expected a model of pnsim derive");
  out.id = id->get<int>();
  out.device = on->get<std::string>();
  if (us != from.end() && us->is_number()) out.profiled_us = us->get<double>();
  return out;
}

void check_ids(const OwnFiles& files, std::size_t times, const OwnLaunches& own) {
  const auto repeated = std::adjacent_find(
      own.launches.begin(), own.launches.end(),
      [](const ProfiledLaunch& a, const ProfiledLaunch& b) { return a.id == b.id; });
  if (repeated != own.launches.end())
    fail_input(files.models, "found two models of ID " + std::to_string(repeated->id));
  const int last = own.launches.back().id;
  if (own.launches.size() == times || static_cast<std::size_t>(last) < times) return;
  fail_input(files.models, "found " + std::to_string(own.launches.size()) +
                               " models with IDs up to " + std::to_string(last) +
                               ", expected those of the " + std::to_string(times) + " times in " +
                               files.times);
}

// Gives the launches their places among the times.
void place(const OwnFiles& files, std::size_t times, OwnLaunches& own) {
  check_ids(files, times, own);
  const bool have_all = own.launches.size() == times;
  std::size_t next = 0;
  const auto skip_to = [&](std::size_t position) {
    for (; next < position; ++next) {
      own.skipped.push_back({next, static_cast<int>(next), "launch " + std::to_string(next),
                             "no model in " + files.models});
    }
  };
  for (ProfiledLaunch& launch : own.launches) {
    launch.position = have_all ? next : static_cast<std::size_t>(launch.id);
    skip_to(launch.position);
    ++next;
  }
  skip_to(times);
}

OwnLaunches of_models(const OwnFiles& files, std::size_t times) {
  std::vector<std::pair<ProfiledLaunch, KernelModel>> found;
  for (const std::string& path : models_in(files.models)) {
    KernelModel model = load_kernel_model(path);
    ProfiledLaunch launch = launch_of(model, path);
    model.device = profile_name_of(launch.device).value_or(launch.device);
    found.emplace_back(std::move(launch), std::move(model));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first.id < b.first.id; });
  OwnLaunches out;
  out.from = files.models;
  for (auto& [launch, model] : found) {
    out.launches.push_back(std::move(launch));
    out.models.push_back(std::move(model));
  }
  place(files, times, out);
  return out;
}

}  // namespace

OwnLaunches own_launches(const OwnFiles& files, std::size_t times) {
  return files.models.empty() ? of_pages(files) : of_models(files, times);
}

}  // namespace pnsim::experiments
