#include "simulator/cli/model_trace.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/base/stats.h"
#include "simulator/base/table.h"
#include "simulator/model/sm/sm_parameters.h"

namespace pnsim {
namespace {

constexpr std::uint64_t kTimelineSteps = 1000, kTraceSteps = 10'000;
constexpr std::size_t kMostNamed = 8;

using Launches = std::vector<LaunchPrediction>;

double steps_of(const LaunchPrediction& launch) {
  return mean(launch.steps) * static_cast<double>(launch.repeat);
}

[[noreturn]] void fail_no_launch(std::size_t launch, const std::string& model,
                                 const Launches& launches) {
  std::string names;
  for (std::size_t i = 0; i < std::min(launches.size(), kMostNamed); ++i) {
    names += (i == 0 ? " " : ", ") + std::to_string(i + 1) + " " + launches[i].kernel;
  }
  if (launches.size() > kMostNamed) names += " ...";
  fail_usage("--launch " + std::to_string(launch) + ": " + model + " has the launches 1 to " +
             std::to_string(launches.size()) + ":" + names);
}

// The position of the launch that is traced.
std::size_t chosen_launch(const TraceOptions& options, const std::string& model,
                          const Launches& launches) {
  if (options.launch > launches.size()) fail_no_launch(options.launch, model, launches);
  if (options.launch > 0) return options.launch - 1;
  const auto most =
      std::max_element(launches.begin(), launches.end(),
                       [](const auto& a, const auto& b) { return steps_of(a) < steps_of(b); });
  return static_cast<std::size_t>(most - launches.begin());
}

std::string launch_note(const TraceOptions& options, std::size_t launch, const Launches& launches) {
  if (launches.size() == 1) return "The model has one launch.";
  const std::string count = std::to_string(launches.size());
  const std::string position = "Launch " + std::to_string(launch + 1) + " of " + count;
  const std::string choice = " Choose another one with --launch 1 to " + count + ".";
  double all = 0;
  for (const LaunchPrediction& each : launches) all += steps_of(each);
  const bool is_cut_off = std::any_of(launches.begin(), launches.end(), [](const auto& each) {
    return each.outcome == Outcome::kLimit;
  });
  if (is_cut_off || all == 0) {
    return position + ". Runs were cut off, so its share of the steps is not known." + choice;
  }
  const std::string share = position + " has " + fixed(100 * steps_of(launches[launch]) / all, 0) +
                            " % of the predicted steps";
  return options.launch > 0 ? share + "." : share + ", and no other has more." + choice;
}

std::string blocks_note(const LaunchNet& net, const DeviceProfile& device) {
  const std::string sm = "One SM of the " + device.title;
  const auto blocks = [](std::int64_t n) {
    return std::to_string(n) + (n == 1 ? " block" : " blocks");
  };
  if (net.blocks == net.sm_blocks) return sm + ", which executes " + blocks(net.blocks) + ".";
  return sm + ": a full wave of " + blocks(net.blocks) + ", of the " +
         std::to_string(net.sm_blocks) + " that it executes.";
}

std::string run_note(const RunId& id, bool has_slots) {
  return "Seed " + std::to_string(id.seed) + ", replica " + std::to_string(id.replica) +
         ". A number in a bar is the warp that uses the scheduler or unit." +
         (has_slots ? " The number of a block is that of its slot on the SM." : "");
}

}  // namespace

void check_model_traces(const TraceOptions& options) {
  check_traces(options);
  if (options.is_lines() && options.steps.empty()) {
    fail_usage("--trace " + options.trace +
               ": the lines of a launch need --trace-steps FIRST:LAST, such as 0:199");
  }
}

void write_model_traces(const TraceOptions& options, const ModelRun& run,
                        const RunOptions& run_options) {
  const ModelRunReport& report = believed(run.report);
  const PointRequest& request =
      run.requests[static_cast<std::size_t>(&report - run.report.reports.data())];
  const Launches& launches = report.prediction.launches;
  const std::size_t launch = chosen_launch(options, request.model->name, launches);
  const LaunchNet simulated = launch_net(request, launch);
  const NetTemplate& net_template = *request.net_template;
  const Net net = instantiate(net_template, simulated.values, Part::kNotDead);
  TracedRun traced;
  traced.net = &net;
  traced.net_template = &net_template;
  traced.values = &simulated.values;
  traced.id = {run_options.seed, run_options.first_replica, simulated.stream};
  traced.max_steps = run_options.max_steps;
  traced.title = titled_model(request.model->name, " ", request.point->problem) + " on net " +
                 net_template.name + ": launch " + launches[launch].kernel;
  traced.notes = {launch_note(options, launch, launches), blocks_note(simulated, *request.device),
                  run_note(traced.id, walks_programs(net_template))};
  traced.timeline_steps = kTimelineSteps;
  traced.trace_steps = kTraceSteps;
  Traces traces(options, traced);
  traces.write(launches[launch].outcome);
  if (const RunPicture* picture = traces.picture()) {
    spdlog::info("{}: net {}, launch {} of {} ({}), {}",
                 options.timeline.empty() ? options.trace : options.timeline, net_template.name,
                 launch + 1, launches.size(), launches[launch].kernel, steps_text(*picture));
  }
}

}  // namespace pnsim
