#include "simulator/analysis/questions/sensitivity.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "simulator/analysis/predict/run_point.h"
#include "simulator/base/error.h"
#include "simulator/base/stats.h"

namespace pnsim {
namespace {

using Samples = std::vector<double>;  // [replica]

WithError mean_of(const Samples& x) {
  WithError out{mean(x), std::nullopt};
  if (x.size() > 1) out.standard_error = stddev(x) / std::sqrt(static_cast<double>(x.size()));
  return out;
}

template <class Combine>
Samples combined(const Samples& a, const Samples& b, Combine combine) {
  Samples out(a.size());
  std::transform(a.begin(), a.end(), b.begin(), out.begin(), combine);
  return out;
}

// A number that can be varied. `run(change)` returns the steps with `change` added to it.
struct Knob {
  std::string name;
  double value = 0;           // the mean over the warps
  std::int64_t smallest = 0;  // the smallest of its values; all must stay at least `min`
  std::int64_t largest = 0;
  std::int64_t min = 0, max = 0;
  std::function<Samples(std::int64_t change)> run;
};

Knob knob_of(const ParameterSpec& spec, const std::vector<std::int64_t>& values) {
  const Samples as_numbers(values.begin(), values.end());
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {spec.name, mean(as_numbers), *low, *high, spec.min, spec.max, nullptr};
}

// The ratio estimate of value * slope / steps. Its error is that of the residuals (delta method).
WithError elasticity_of(double value, const Samples& slope, const Samples& base) {
  WithError out{value * mean(slope) / mean(base), std::nullopt};
  const Samples residual = combined(
      slope, base, [&](double s, double b) { return (value * s - out.value * b) / mean(base); });
  out.standard_error = mean_of(residual).standard_error;
  return out;
}

Sensitivity varied(const Knob& knob, const Samples& base, double relative_step) {
  Sensitivity out;
  out.parameter = knob.name;
  out.value = knob.value;
  const auto step = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(std::llround(relative_step * std::min(knob.value, 1e15))));
  const std::int64_t up = knob.largest <= knob.max - step ? step : 0;
  const std::int64_t down = knob.smallest >= knob.min + step ? step : 0;
  out.low = knob.value - static_cast<double>(down);
  out.high = knob.value + static_cast<double>(up);
  if (up + down == 0) {
    out.why_not = "its range contains no other value";
    return out;
  }
  try {
    const Samples low = down ? knob.run(-down) : base, high = up ? knob.run(up) : base;
    const auto width = static_cast<double>(up + down);
    const Samples slope = combined(low, high, [&](double a, double b) { return (b - a) / width; });
    out.low_steps = mean_of(low);
    out.high_steps = mean_of(high);
    out.per_unit = mean_of(slope);
    if (mean(base) > 0) out.elasticity = elasticity_of(knob.value, slope, base);
  } catch (const Error& error) {  // for example a list whose length fits one number of warps only
    if (error.code() != ExitCode::kBadInput) throw;
    out.why_not = error.what();
  }
  return out;
}

// Called for runs with changed parameter values: the row then states why it has no numbers.
void refuse_cut_off(Outcome outcome, bool has_goal) {
  if (came_to_end(outcome, has_goal)) return;
  throw Error(ExitCode::kBadInput, "not every run at the moved values came to its end");
}

class TemplateRuns {
 public:
  TemplateRuns(const SweepInput& input, const RunOptions& options)
      : input_(input), net_(input.templates.at(0)), options_(options) {
    ParameterValues overrides;
    if (!input.devices.empty()) overrides = device_parameters(net_, input.devices[0]);
    for (const auto& [name, values] : input.parameters) overrides[name] = values;
    values_ = resolve_parameters(net_, overrides);
  }

  SensitivityReport head() const {
    const std::string device = input_.devices.empty() ? "" : input_.devices[0].name;
    return {input_.input, net_.name, device, options_, values_, {}, Outcome::kGoal, {}};
  }

  Samples base() {
    const Samples steps = run(values_);
    base_is_run_ = true;
    return steps;
  }

  std::vector<Knob> knobs() {
    std::vector<Knob> knobs;
    for (const ParameterSpec& spec : net_.parameters) {
      Knob knob = knob_of(spec, values_.at(spec.name));
      knob.run = [this, name = spec.name](std::int64_t change) {
        ParameterValues values = values_;
        for (std::int64_t& value : values[name]) value += change;
        return run(values);
      };
      knobs.push_back(std::move(knob));
    }
    return knobs;
  }

  Outcome outcome() const { return outcome_; }

 private:
  void note(Outcome outcome) {
    outcome_ = std::min(outcome_, outcome);
    const bool has_goal = !input_.until.empty() || !net_.until.empty();
    if (base_is_run_) refuse_cut_off(outcome, has_goal);
  }

  Samples run(const ParameterValues& values) {
    Net net = instantiate(net_, values);
    if (!input_.until.empty()) net = net.with_goal(parse_goal(net, input_.until));
    const ReplicaRuns runs = run_replicas(net, options_);
    note(runs.outcome);
    Samples steps;
    for (const RunResult& r : runs.runs) steps.push_back(static_cast<double>(r.steps));
    return steps;
  }

  const SweepInput& input_;
  const NetTemplate& net_;
  RunOptions options_;
  ParameterValues values_;
  Outcome outcome_ = Outcome::kGoal;
  bool base_is_run_ = false;
};

class ModelRuns {
 public:
  ModelRuns(const SweepInput& input, const RunOptions& options)
      : input_(input),
        options_(options),
        request_{&*input.model,        &input.templates.at(0),
                 &input.devices.at(0), &input.model->point(input.problem),
                 input.parameters,     {}},
        values_(net_parameters(request_)) {}

  SensitivityReport head() const {
    SensitivityReport out{input_.model->name,
                          request_.net_template->name,
                          request_.device->name,
                          options_,
                          values_,
                          {},
                          Outcome::kGoal,
                          {}};
    for (const auto& [axis, value] : request_.point->problem) out.parameters[axis] = {value};
    return out;
  }

  Samples base() {
    const Samples steps = run(request_);
    base_is_run_ = true;
    return steps;
  }

  std::vector<Knob> knobs() {
    std::vector<Knob> knobs;
    for (const ParameterSpec& spec : request_.net_template->parameters) {
      const auto it = values_.find(spec.name);
      if (it != values_.end()) knobs.push_back(parameter_knob(spec, it->second));
      for (const auto& [name, member] : kCounts) {
        if (spec.name == name) knobs.push_back(count_knob(spec, member));
      }
    }
    return knobs;
  }

  Outcome outcome() const { return outcome_; }

 private:
  using Count = std::int64_t InstructionCounts::*;
  static constexpr std::pair<const char*, Count> kCounts[] = {
      {"xa", &InstructionCounts::arithmetic},
      {"xs", &InstructionCounts::shared},
      {"xg", &InstructionCounts::global}};

  Knob parameter_knob(const ParameterSpec& spec, const std::vector<std::int64_t>& values) {
    Knob knob = knob_of(spec, values);
    knob.run = [this, name = spec.name, values](std::int64_t change) {
      PointRequest request = request_;
      request.net_parameters[name] = values;
      for (std::int64_t& value : request.net_parameters[name]) value += change;
      return run(request);
    };
    return knob;
  }

  // Averages over the warps that run on the busiest SM, weighted by their number there.
  Knob count_knob(const ParameterSpec& spec, Count count) {
    Knob knob{spec.name, 0, spec.max, spec.min, spec.min, spec.max, nullptr};
    double warps = 0;
    for (const Launch& launch : request_.point->launches) {
      const LaunchWaves waves = launch_waves(launch, request_.device->count("sms"));
      const auto add = [&](const Wave& wave, std::int64_t times) {
        const auto weight = static_cast<double>(launch.repeat * times);
        for (const InstructionCounts& warp : wave.warps) {
          knob.value += weight * static_cast<double>(warp.*count);
          knob.smallest = std::min(knob.smallest, warp.*count);
          knob.largest = std::max(knob.largest, warp.*count);
          warps += weight;
        }
      };
      add(waves.full, waves.full_waves);
      if (waves.tail) add(*waves.tail, 1);
    }
    knob.value /= warps;
    knob.run = [this, count](std::int64_t change) {
      PointRequest request = request_;
      request.more_per_warp.*count = change;
      return run(request);
    };
    return knob;
  }

  void note(Outcome outcome) {
    outcome_ = std::min(outcome_, outcome);
    if (base_is_run_) refuse_cut_off(outcome, !request_.net_template->until.empty());
  }

  Samples run(const PointRequest& request) {
    const Prediction prediction = predict({request}, options_).front();
    note(prediction.outcome);
    return prediction.steps;
  }

  const SweepInput& input_;
  RunOptions options_;
  PointRequest request_;
  ParameterValues values_;
  Outcome outcome_ = Outcome::kGoal;
  bool base_is_run_ = false;
};

// Steps of runs that were cut off are the limit, and their differences would be 0.
Sensitivity not_varied(const Knob& knob) {
  Sensitivity out;
  out.parameter = knob.name;
  out.value = knob.value;
  out.why_not = "not every run at these values came to its end";
  return out;
}

template <class Runs>
SensitivityReport report_of(Runs runs, double relative_step, bool has_goal) {
  SensitivityReport out = runs.head();
  const Samples base = runs.base();
  out.steps = estimate_of(base);
  const bool has_ended = came_to_end(runs.outcome(), has_goal);
  for (const Knob& knob : runs.knobs()) {
    out.rows.push_back(has_ended ? varied(knob, base, relative_step) : not_varied(knob));
  }
  out.outcome = runs.outcome();
  out.has_ended = came_to_end(out.outcome, has_goal);
  return out;
}

}  // namespace

SensitivityReport sensitivity(const SweepInput& input, const RunOptions& options,
                              double relative_step) {
  if (input.net) {
    fail_usage(input.input +
               " is a net without parameters; only templates and kernel models have "
               "some");
  }
  const bool has_goal = !input.until.empty() || !input.templates.at(0).until.empty();
  return input.model ? report_of(ModelRuns(input, options), relative_step, has_goal)
                     : report_of(TemplateRuns(input, options), relative_step, has_goal);
}

}  // namespace pnsim
