#include "experiments/validate/own_launches.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>

#include "simulator/base/error.h"
#include "simulator/base/extension.h"
#include "simulator/base/json.h"

namespace pnsim::experiments {
namespace {

namespace fs = std::filesystem;

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
  std::error_code error;
  std::vector<std::string> files;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (has_extension(entry->path().string(), ".json")) files.push_back(entry->path().string());
  }
  if (error) fail_input(folder, error.message() + ", expected a folder of pnsim derive -o");
  if (files.empty()) {
    fail_input(folder, "found no model (*.json), expected those that pnsim derive -o writes");
  }
  std::sort(files.begin(), files.end());  // the profiler's IDs come first in their names
  return files;
}

ProfiledLaunch launch_of(const KernelModel& model, const std::string& path, std::size_t position) {
  if (model.points.size() != 1 || model.points[0].launches.size() != 1)
    fail_input(path, "found a model of several launches, expected one of one profiled launch");
  ProfiledLaunch out;
  out.launch = model.points[0].launches[0];
  if (out.launch.segments.empty())
    fail_input(path, "found only counts, expected a model that was derived with a source page");
  out.position = position;
  out.kernel = out.launch.kernel;
  const Json& from = model.provenance;
  const auto id = from.find("profiler_id"), on = from.find("profiled_on"),
             us = from.find("profiled_us");
  out.id = id != from.end() && id->is_number_integer() ? id->get<int>() : kNoLaunchId;
  if (on != from.end() && on->is_string()) out.device = on->get<std::string>();
  if (us != from.end() && us->is_number()) out.profiled_us = us->get<double>();
  if (out.device.empty())
    fail_input(path, "found no /provenance/profiled_on, expected a model of pnsim derive");
  return out;
}

OwnLaunches of_models(const std::string& folder) {
  OwnLaunches out;
  out.from = folder;
  for (const std::string& path : models_in(folder)) {
    out.models.push_back(load_kernel_model(path));
    out.launches.push_back(launch_of(out.models.back(), path, out.launches.size()));
  }
  return out;
}

}  // namespace

OwnLaunches own_launches(const OwnFiles& files) {
  return files.models.empty() ? of_pages(files) : of_models(files.models);
}

}  // namespace pnsim::experiments
