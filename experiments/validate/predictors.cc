#include "experiments/validate/predictors.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <sstream>

#include "experiments/spec/statistics.h"
#include "experiments/spec/suite.h"
#include "simulator/analysis/baselines/mwp_cwp.h"
#include "simulator/analysis/baselines/roofline.h"
#include "simulator/analysis/predict/predict.h"
#include "simulator/base/error.h"
#include "simulator/base/table.h"
#include "simulator/model/memory/traffic.h"
#include "simulator/model/sm/sm_parameters.h"
#include "simulator/model/template/instances.h"

namespace pnsim::experiments {
namespace {

constexpr const char *kRoofline = "roofline", *kMwpCwp = "MWP-CWP";

constexpr Ablation kAblations[] = {
    {"launch", "launch=0"},                // nothing before the first block
    {"dispatch", "dispatch=1"},            // a block starts in every cycle
    {"turnover", "turnover=0"},            // a block takes the place of one that has ended at once
    {"issue", "issue=1"},                  // a segment takes its scheduler for one cycle
    {"slow units", "slow=0 addresses=0"},  // special functions and constants take no time
    {"dependences", "work=1"},             // arithmetic has its results at once
    {"port", "quick_port=1 port=1"},       // a segment's accesses take one cycle of it
    {"port's order", "order=0"},           // whose accesses pass it next is drawn
    {"bandwidth", "memory=0"},             // L2 and DRAM serve everybody at once
    {"atomics", "atomic=0"},               // so do the slices of L2
    {"load latency", "latency=1"},         // of L1, L2 and DRAM
    {"quick latency",
     "quick_latency=1"},              // of shared memory, shuffles, special functions, constants
    {"barriers", "joins=0"},          // no warp waits for another
    {"barrier's cost", "barrier=0"},  // warps meet at no cost
};

using Points = std::span<const ValidationPoint>;

// A net with some of its parameters set. Its steps for the points are simulated once.
class NetSteps {
 public:
  NetSteps(std::shared_ptr<const NetTemplate> net, ParameterValues settings,
           const DeviceProfile& device, const RunOptions& options)
      : net_(std::move(net)), settings_(std::move(settings)), device_(device), options_(options) {}

  // All calls must pass the same points.
  const std::vector<double>& of(Points points) {
    if (steps_.size() == points.size()) return steps_;
    steps_.clear();
    std::vector<PointRequest> requests;
    for (const ValidationPoint& point : points) requests.push_back(request_of(point));
    const std::vector<Prediction> predictions = pnsim::predict(requests, options_);
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      steps_.push_back(steps_of(predictions[i], points[i]));
    }
    return steps_;
  }

  // NaN, with a warning, for a launch that did not reach its goal.
  double steps_of(const Prediction& prediction, const ValidationPoint& point) const {
    if (prediction.outcome == Outcome::kGoal) return prediction.mean_steps_at_device_clock();
    spdlog::warn("warning: {}: {} {}: {}", net_->name, point.program, point.at, kUnfinished);
    return std::numeric_limits<double>::quiet_NaN();
  }

  // [launch of the point] the SM's parameters with all heuristics on, made once. All calls must
  // pass the same points.
  const std::vector<ParameterValues>& sm_parameters_of(Points points, std::size_t point) {
    sm_parameters_.resize(points.size());
    std::vector<ParameterValues>& out = sm_parameters_[point];
    if (!out.empty()) return out;
    for (const Launch& launch : points[point].launches->launches)
      out.push_back(sm_parameters(launch, device_));
    return out;
  }

  // The parameters of the net in use for this point.
  ParameterValues parameters(const ValidationPoint& point) const {
    return net_parameters(request_of(point));
  }

  // The reference parameters belong to the spec's own net; another net may lack some of them.
  PointRequest request_of(const ValidationPoint& point) const {
    ParameterValues values;
    for (const auto& [name, value] : point.reference) {
      if (net_->find_parameter(name)) values[name] = value;
    }
    for (const auto& [name, value] : settings_) values[name] = value;
    return {point.model, net_.get(), &device_, point.launches, values, {}};
  }

 private:
  std::shared_ptr<const NetTemplate> net_;
  ParameterValues settings_;
  const DeviceProfile& device_;
  RunOptions options_;
  std::vector<double> steps_;
  std::vector<std::vector<ParameterValues>> sm_parameters_;  // [point][launch]
};

// predict() does not move the launches of the point to another device.
bool is_on_its_device(const PointRequest& request) {
  return request.device->name == request.model->device;
}

// The heuristic changes nothing about the nets of the point; `all_on`: [launch] its parameters with
// all heuristics.
bool is_unchanged(const PointRequest& request, const std::vector<ParameterValues>& all_on) {
  const std::vector<Launch>& launches = request.point->launches;
  return std::equal(launches.begin(), launches.end(), all_on.begin(), all_on.end(),
                    [&](const Launch& launch, const ParameterValues& parameters) {
                      return sm_parameters(launch, *request.device, FirstBlocks::kInTheirOrder,
                                           request.heuristics) == parameters;
                    });
}

// A net's steps of the points with a heuristic of the SM's model switched off.
std::vector<double> steps_without(Heuristic heuristic, NetSteps& net, Points points,
                                  const RunOptions& options) {
  std::vector<double> steps = net.of(points);
  std::vector<std::size_t> changed;
  std::vector<PointRequest> requests;
  for (std::size_t i = 0; i < points.size(); ++i) {
    PointRequest request = net.request_of(points[i]);
    request.heuristics = Heuristics{}.without(heuristic);
    if (is_on_its_device(request) && is_unchanged(request, net.sm_parameters_of(points, i)))
      continue;
    changed.push_back(i);
    requests.push_back(std::move(request));
  }
  const std::vector<Prediction> predictions = pnsim::predict(requests, options);
  for (std::size_t c = 0; c < changed.size(); ++c)
    steps[changed[c]] = net.steps_of(predictions[c], points[changed[c]]);
  return steps;
}

PredictedTimes scaled(const std::vector<double>& steps, double us_per_step) {
  PredictedTimes out;
  for (const double s : steps) out.us.push_back(s * us_per_step);
  return out;
}

Predictor cycle_predictor(const std::string& name, const std::string& about,
                          std::shared_ptr<NetSteps> steps, double clock_mhz) {
  return {name, about, false,
          [steps, clock_mhz](Points points) { return scaled(steps->of(points), 1 / clock_mhz); }};
}

// The groups of points that share a scale, in order of appearance.
std::vector<std::string> suites_of(Points points, bool one_for_all) {
  std::vector<std::string> names;
  for (const ValidationPoint& point : points) {
    names.push_back(one_for_all ? "all" : point.suite + " " + point.mode);
  }
  return names;
}

// Fits the time per step for each suite, as `experiment run --compare-gpu` does.
PredictedTimes fitted(Points points, const std::vector<double>& steps, bool one_for_all) {
  const std::vector<std::string> suites = suites_of(points, one_for_all);
  std::map<std::string, std::vector<PointResult>> results;
  std::size_t training = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (std::isnan(steps[i])) continue;  // kUnfinished
    const SuitePoint point{points[i].program, {}, points[i].is_training};
    results[suites[i]].push_back({point, steps[i], points[i].measured_us(), 0, 0, ""});
    training += points[i].is_training ? 1 : 0;
  }
  PredictedTimes out;
  out.note = "fitted on " + std::to_string(training) + " of the points, ns per step:";
  std::map<std::string, double> scales;
  for (const auto& [suite, of_suite] : results) {
    scales[suite] = fit_us_per_step(of_suite);
    out.note +=
        (scales.size() == 1 ? " " : ", ") + suite + " " + significant(1e3 * scales[suite], 4);
  }
  for (std::size_t i = 0; i < points.size(); ++i) out.us.push_back(steps[i] * scales[suites[i]]);
  return out;
}

// Uses the recorded time per step that `pnsim --model` uses. It was fitted to other programs, so no
// time of the set is used.
Predictor recorded_predictor(const std::string& net, std::shared_ptr<NetSteps> steps,
                             const ValidationSet& set) {
  const ParameterValues parameters = steps->parameters(set.points.front());
  const auto scale = RecordedResults::of_program(set.device.name, "").scale(net, parameters);
  if (!scale) {
    fail_unavailable("--nets: no time per step of " + net + " (" + parameters_text(parameters) +
                     ") is recorded for " + set.device.name +
                     "; fit one with `experiment calibrate`");
  }
  const std::string note = significant(1e3 * scale->us_per_step, 4) +
                           " ns per step, fitted to other programs: " + scale->source;
  return {net, "net " + net + ", the recorded time per step", false,
          [steps, note, us = scale->us_per_step](Points points) {
            PredictedTimes out = scaled(steps->of(points), us);
            out.note = note;
            return out;
          }};
}

bool has_several_suites(const ValidationSet& set) {
  const std::vector<std::string> suites = suites_of(set.points, false);
  return std::adjacent_find(suites.begin(), suites.end(), std::not_equal_to<>()) != suites.end();
}

ParameterValues settings_of(const Ablation& row) {
  ParameterValues settings;
  std::istringstream words(row.settings);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    settings[word.substr(0, equals)] = {std::stoll(word.substr(equals + 1))};
  }
  return settings;
}

void add_net(const std::string& name, const PredictorRequest& request, const ValidationSet& set,
             std::vector<Predictor>& predictors, std::vector<Predictor>& without) {
  const auto net = std::make_shared<const NetTemplate>(load_net(name));
  if (net->name == kRoofline || net->name == kMwpCwp)
    fail_usage("--nets: " + net->name + " is the name of an analytical model; rename the net");
  if (std::any_of(predictors.begin(), predictors.end(),
                  [&](const Predictor& p) { return p.name == net->name; })) {
    fail_usage("--nets: " + net->name + " is given twice");  // possibly under another path
  }
  const auto steps = [&](const ParameterValues& settings) {
    return std::make_shared<NetSteps>(net, settings, set.device, request.options);
  };
  if (!net->step_is_cycle) {
    const auto shared = steps({});
    if (!set.may_fit) return predictors.push_back(recorded_predictor(net->name, shared, set));
    predictors.push_back({net->name, "net " + net->name + ", one time per step for each suite",
                          false, [shared](Points p) { return fitted(p, shared->of(p), false); }});
    if (!has_several_suites(set)) return;
    predictors.push_back({net->name + ", one scale",
                          "net " + net->name + ", one time per step for all points", false,
                          [shared](Points p) { return fitted(p, shared->of(p), true); }});
    return;
  }
  const double clock_mhz = set.device.positive("clock_mhz");
  predictors.push_back(cycle_predictor(net->name, "net " + net->name + ", one step is one cycle",
                                       steps({}), clock_mhz));
  if (!request.with_ablations) return;
  for (const Ablation& row : kAblations) {
    without.push_back(cycle_predictor(net->name + " without " + row.without,
                                      "net " + net->name + " with " + row.settings,
                                      steps(settings_of(row)), clock_mhz));
    without.back().is_ablation = true;
  }
  const auto net_steps = steps({});
  for (const HeuristicRow& row : heuristics()) {
    without.push_back({net->name + kWithoutHeuristic + row.name,
                       "net " + net->name + ", heuristic " + row.name + " off", true,
                       [&row, net_steps, clock_mhz, options = request.options](Points points) {
                         return scaled(steps_without(row.heuristic, *net_steps, points, options),
                                       1 / clock_mhz);
                       }});
  }
}

// Applies a formula for one launch to all launches of a program.
Predictor formula(const std::string& name, const std::string& about, const DeviceProfile& device,
                  double (*launch_us)(const Launch&, const DeviceProfile&)) {
  return {name, about, false, [&device, launch_us](Points points) {
            const DeviceFacts facts = read_device_facts(device);
            PredictedTimes out;
            for (const ValidationPoint& point : points) {
              double us = 0;
              for (const Launch& launch : point.launches->launches) {
                us += static_cast<double>(launch.repeat) *
                      launch_us(when_repeated(launch, facts), device);
              }
              out.us.push_back(us);
            }
            return out;
          }};
}

}  // namespace

std::span<const Ablation> ablations() { return kAblations; }

std::vector<std::string> refusals(const std::vector<std::string>& nets, const ValidationSet& set) {
  std::vector<NetTemplate> templates;
  for (const std::string& net : nets) templates.push_back(load_net(net));
  const DeviceFacts facts = read_device_facts(set.device);
  std::vector<std::string> out;
  for (const ValidationPoint& point : set.points) {
    try {
      for (const NetTemplate& net : templates) {
        const LaunchNet made =
            launch_net({point.model, &net, &set.device, point.launches, {}, {}}, 0);
        TemplateInstances(net, made.values);  // checks sizes
      }
      for (const Launch& launch : point.launches->launches) {
        roofline_us(when_repeated(launch, facts), set.device);
        mwp_cwp_us(when_repeated(launch, facts), set.device);
      }
      out.emplace_back();
    } catch (const Error& error) {
      if (error.code() != ExitCode::kBadInput && error.code() != ExitCode::kLimit) throw;
      out.emplace_back(error.what());
    }
  }
  return out;
}

void leave_out_refused(const std::vector<std::string>& nets, ValidationSet& set) {
  const std::vector<std::string> why = refusals(nets, set);
  std::vector<ValidationPoint> taken;
  std::string first;
  for (std::size_t i = 0; i < why.size(); ++i) {
    ValidationPoint& point = set.points[i];
    if (why[i].empty()) {
      taken.push_back(std::move(point));
      continue;
    }
    const std::string text = point.at + ": " + why[i];
    if (first.empty()) first = text;
    set.skipped.push_back({point.program, 1, text});
  }
  if (taken.empty())
    fail_input("none of the launches can be predicted; " + set.points[0].program, first);
  set.points = std::move(taken);
  if (first.empty()) return;
  spdlog::warn(
      "warning: {} of {} launches are left out, since they cannot be predicted; the first: {}",
      why.size() - set.points.size(), why.size(), first);
}

std::vector<Predictor> make_predictors(const PredictorRequest& request, const ValidationSet& set) {
  std::vector<Predictor> predictors, without;
  for (const std::string& net : request.nets) add_net(net, request, set, predictors, without);
  if (request.with_ablations && without.empty()) {
    fail_usage(
        "--ablation: the nets have no modules to switch off, expected a net whose step is a cycle "
        "among them, as with --nets sm");
  }
  predictors.push_back(formula(kRoofline,
                               "the bottleneck unit of the device (Williams et al. 2009)",
                               set.device, roofline_us));
  predictors.push_back(formula(kMwpCwp, "Hong and Kim, ISCA 2009", set.device, mwp_cwp_us));
  predictors.insert(predictors.end(), std::make_move_iterator(without.begin()),
                    std::make_move_iterator(without.end()));
  return predictors;
}

}  // namespace pnsim::experiments
