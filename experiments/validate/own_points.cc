#include "experiments/validate/own_points.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>

#include "experiments/validate/own_times.h"
#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/base/provenance.h"
#include "simulator/base/stats.h"
#include "simulator/base/table.h"
#include "simulator/model/device/device_facts.h"
#include "simulator/model/device/device_names.h"
#include "simulator/model/sass/kernel_name.h"

namespace pnsim::experiments {
namespace {

std::vector<std::string> kernels_of(const std::vector<ProfiledLaunch>& launches) {
  std::vector<std::string> names;
  for (const ProfiledLaunch& launch : launches) names.push_back(launch.kernel);
  return names;
}

// The row must belong to this launch. Only the properties that both of them state are compared.
void check_same(const OwnTime& time, const ProfiledLaunch& launch,
                const std::vector<ProfiledLaunch>& launches) {
  const std::string which = "launch " + std::to_string(time.index) + " of the profile (ID " +
                            std::to_string(launch.id) + ")";
  const std::string name = plain_kernel_name(time.kernel);
  if (name.empty() || launch.kernel.find(name) == std::string::npos) {
    const std::string nearest = nearest_name(name, kernels_of(launches));
    fail_input(time.where + ", column kernel",
               "found \"" + time.kernel + "\", expected \"" + launch.kernel +
                   "\" or a part of it, the kernel of " + which +
                   (nearest.empty() || nearest == launch.kernel
                        ? ""
                        : "; the nearest profiled kernel is \"" + nearest + "\""));
  }
  if (time.threads() != launch.launch.block) {
    fail_input(time.where + ", column block", "found \"" + time.block + "\", expected " +
                                                  std::to_string(launch.launch.block) +
                                                  " threads, the block of " + which);
  }
  if (time.blocks != 0 && time.blocks != launch.launch.grid) {
    fail_input(time.where + ", column grid",
               "found " + std::to_string(time.blocks) + " blocks, expected " +
                   std::to_string(launch.launch.grid) + ", the grid of " + which);
  }
}

void check_one_gpu(const std::vector<ProfiledLaunch>& launches, const std::string& pages) {
  for (const ProfiledLaunch& launch : launches) {
    if (launch.device == launches.front().device) continue;
    fail_input(pages, "found launch " + std::to_string(launch.id) + " on \"" + launch.device +
                          "\", expected all on \"" + launches.front().device + "\", as the first");
  }
}

DeviceProfile profile_of(const ProfiledLaunch& launch, const std::string& name,
                         const std::string& pages) {
  if (is_profiled(name)) return load_device_profile(name);
  fail_unknown_gpu(pages + ": launches on " + launch.device, name);
}

ValidationPoint point_of(const OwnTime& time, const KernelModel& model, const std::string& suite) {
  ValidationPoint out;
  out.suite = suite;
  out.program = time.kernel;
  out.at = time.problem + ", " + (time.config.empty() ? "block " + time.block : time.config);
  out.axes = {{"problem", time.problem}, {"block", time.block}};
  if (!time.config.empty()) out.axes["config"] = time.config;
  out.problem = time.problem;
  out.configuration = time.block;
  out.mode = "warm";
  out.model = &model;
  out.launches = &model.points.front();
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  out.measured = {time.us, kUnknown, kUnknown, name_for_json(time.where)};
  out.stands_for = time.stands_for;
  out.stands_for_us = time.stands_for_us;
  return out;
}

// Times in another unit than microseconds. The profiler's times of the same launches are longer or
// shorter by some tens of percent, never by a hundred times in the middle.
void check_unit(const std::vector<OwnTime>& times, const std::vector<ProfiledLaunch>& launches,
                const std::string& file) {
  constexpr double kMostTimes = 100;
  std::vector<double> ratios;
  for (const ProfiledLaunch& launch : launches) {
    if (launch.profiled_us > 0 && times[launch.position].us > 0)
      ratios.push_back(times[launch.position].us / launch.profiled_us);
  }
  if (ratios.empty()) return;
  const double middle = quantile(ratios, 0.5);
  if (middle >= 1 / kMostTimes && middle <= kMostTimes) return;
  fail_input(file + ": column time_us",
             "the median of the measured times over the profiled times is " +
                 significant(middle, 3) + ", expected about 1: these times seem to be in " +
                 (middle < 1 ? "milliseconds or seconds" : "nanoseconds") +
                 "; write microseconds of one launch");
}

// stands_for_us in another unit than time_us. Launches of one kind may differ, but not by a hundred
// times in the middle.
void check_represented_unit(const std::vector<OwnTime>& times, const std::string& file) {
  constexpr double kMostTimes = 100;
  std::vector<double> ratios;
  for (const OwnTime& time : times) {
    if (time.us > 0 && time.stands_for > 0)
      ratios.push_back(time.stands_for_us / time.stands_for / time.us);
  }
  if (ratios.empty()) return;
  const double middle = quantile(ratios, 0.5);
  if (middle >= 1 / kMostTimes && middle <= kMostTimes) return;
  fail_input(file + ": column stands_for_us",
             "the median of stands_for_us / stands_for / time_us is " + significant(middle, 3) +
                 ", expected about 1: write the microseconds of all launches that a row "
                 "represents");
}

// Errors against times of another GPU are differences of the GPUs as well, and look like errors of
// the model.
void note_other_gpu(const ProfiledLaunch& launch, ValidationSet& set) {
  const DeviceProfile& to = set.device;
  if (to.title == launch.device || to.name == set.times.device) return;
  set.times.brief += " times, predicted for " + to.name;
  set.times.other_gpu = "the measured times are of " + launch.device +
                        ", and the predictions are for " + to.title +
                        ": what is called an error here also holds the difference between the two "
                        "GPUs. Remove --device to predict for the profiled GPU, or give times and "
                        "pages of " +
                        to.title;
  spdlog::warn("warning: {}", set.times.other_gpu);
}

// How many times are of instrumented kernels, and whether their predictions are.
std::string instrumented_text(const std::vector<OwnTime>& times, const DeviceProfile& device) {
  const auto count = std::count_if(times.begin(), times.end(),
                                   [](const OwnTime& time) { return time.is_instrumented; });
  if (count == 0) return "";
  return "; " + std::to_string(count) + " of " + std::to_string(times.size()) +
         " are of instrumented kernels, " +
         (knows_recorded_blocks(device) ? "and so are the predictions" : "the predictions are not");
}

// What a profiler that adds code to kernels costs, where it is not known or not said.
void note_instrumented(const std::vector<OwnTime>& times, const DeviceProfile& device,
                       const std::string& file) {
  const bool are_instrumented = std::any_of(
      times.begin(), times.end(), [](const OwnTime& time) { return time.is_instrumented; });
  if (are_instrumented && !knows_recorded_blocks(device)) {
    spdlog::warn(
        "warning: times of {} are of instrumented kernels, and the profile {} does not say "
        "what that adds to each block (`experiment microbench recorded_blocks` measures "
        "it), so launches of many short blocks seem to be predicted too fast",
        file, device.name);
  }
}

}  // namespace

ValidationSet own_points(const OwnFiles& files, const std::string& device) {
  const std::string times_text = read_file_or_pipe(files.times);
  check_own_times(times_text, files.times);
  OwnLaunches own = own_launches(files, count_own_times(times_text, files.times));
  check_one_gpu(own.launches, own.from);
  const std::vector<OwnTime> times =
      read_own_times(times_text, files.times, own.launches.size() + own.skipped.size());
  check_represented_unit(times, files.times);
  const std::string suite = name_for_json(std::filesystem::path(files.times).filename().string());
  ValidationSet out;
  for (const OwnTime& time : times) {
    out.represented_launches += time.stands_for;
    out.represented_us += time.stands_for_us;
  }
  const std::optional<std::string> device_name = profile_name_of(own.launches.front().device);
  for (std::size_t i = 0; i < own.launches.size(); ++i) {
    const ProfiledLaunch& launch = own.launches[i];
    const OwnTime& time = times[launch.position];
    if (time.us == 0) {
      out.skipped.push_back({launch.kernel, 1, "it has no time: not every timed run made it"});
      continue;
    }
    check_same(time, launch, own.launches);
    auto& model = out.models["launch " + std::to_string(launch.position)];
    model = std::make_unique<KernelModel>(std::move(own.models[i]));
    model->device = device_name.value_or(model->device);
    for (RecordedPoint& point : model->points) {
      for (Launch& of_point : point.launches) of_point.is_instrumented = time.is_instrumented;
    }
    out.points.push_back(point_of(time, *model, suite));
    out.points.back().template_arguments = launch.launch.template_arguments;
  }
  if (out.points.empty()) fail_input(files.times, "no launch that has a model has a time");
  check_unit(times, own.launches, files.times);
  for (const SkippedLaunch& launch : own.skipped) {
    out.skipped.push_back({launch.kernel, 1, name_for_json(launch.why)});
  }
  const std::string& profiled_on = out.points.front().model->device;
  out.device = device.empty() ? profile_of(own.launches.front(), profiled_on, own.from)
                              : load_device_profile(device);
  out.times = {profiled_on, suite + ", " + profiled_on,
               "measured times are those of " + name_for_json(files.times) +
                   ", of launches profiled on " + own.launches.front().device +
                   instrumented_text(times, out.device)};
  for (ValidationPoint& point : out.points)
    point.warnings = warnings_of_point(*point.model, *point.launches, true, out.device);
  note_other_gpu(own.launches.front(), out);
  note_instrumented(times, out.device, files.times);
  out.modes = {"warm"};
  out.may_fit = false;
  return out;
}

}  // namespace pnsim::experiments
