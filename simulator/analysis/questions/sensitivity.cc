#include "simulator/analysis/questions/sensitivity.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "simulator/analysis/predict/run_point.h"
#include "simulator/base/error.h"
#include "simulator/base/stats.h"

namespace pnsim {
namespace {

Knob knob_of(const ParameterSpec& spec, const std::vector<std::int64_t>& values) {
  const Samples as_numbers(values.begin(), values.end());
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {spec.name, mean(as_numbers), *low, *high, spec.min, spec.max, nullptr};
}

// Called for runs with changed parameter values: the row then states why it has no numbers.
void refuse_cut_off(Outcome outcome, bool has_goal) {
  if (came_to_end(outcome, has_goal)) return;
  throw Error(ExitCode::kBadInput, "not every run at the moved values came to its end");
}

RunOptions with(Replicas replicas, RunOptions options) {
  options.first_replica = replicas.first;
  options.replicas = replicas.count;
  return options;
}

class TemplateRuns {
 public:
  TemplateRuns(const SweepInput& input, const RunOptions& options)
      : input_(input), net_(input.templates.at(0)), options_(options) {
    ParameterValues overrides;
    if (!input.devices.empty()) overrides = device_parameters(net_, input.devices[0]);
    for (const auto& [name, values] : input.parameters) overrides[name] = values;
    multiply_parameters(net_, input.factors, overrides);
    values_ = resolve_parameters(net_, overrides);
  }

  SensitivityReport head() const {
    const std::string device = input_.devices.empty() ? "" : input_.devices[0].name;
    return {input_.input, net_.name, device, options_, {}, values_, {}, Outcome::kGoal, {}};
  }

  Samples base(Replicas replicas) {
    const Samples steps = run(values_, replicas);
    base_is_run_ = true;
    return steps;
  }

  std::vector<Knob> knobs() {
    std::vector<Knob> knobs;
    for (const ParameterSpec& spec : net_.parameters) {
      Knob knob = knob_of(spec, values_.at(spec.name));
      knob.run = [this, name = spec.name](std::int64_t change, Replicas replicas) {
        ParameterValues values = values_;
        for (std::int64_t& value : values[name]) value += change;
        return run(values, replicas);
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

  Samples run(const ParameterValues& values, Replicas replicas) {
    Net net = instantiate(net_, values);
    if (!input_.until.empty()) net = net.with_goal(parse_goal(net, input_.until));
    const ReplicaRuns runs = run_replicas(net, with(replicas, options_));
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
        request_{&*input.model,
                 &input.templates.at(0),
                 &input.devices.at(0),
                 &input.model->point(input.problem),
                 input.parameters,
                 {},
                 {},
                 input.factors},
        values_(net_parameters(request_)) {}

  SensitivityReport head() const {
    SensitivityReport out{input_.model->name,
                          request_.net_template->name,
                          request_.device->name,
                          options_,
                          {},
                          values_,
                          {},
                          Outcome::kGoal,
                          {}};
    for (const auto& [name, values] : input_.parameters) {
      if (is_count(name)) out.parameters[name] = values;
    }
    for (const auto& [axis, value] : request_.point->problem) out.parameters[axis] = {value};
    return out;
  }

  Samples base(Replicas replicas) {
    const Samples steps = run(request_, replicas);
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
    knob.run = [this, name = spec.name, values](std::int64_t change, Replicas replicas) {
      PointRequest request = request_;
      request.factors.erase(name);  // `values` are the product
      request.net_parameters[name] = values;
      for (std::int64_t& value : request.net_parameters[name]) value += change;
      return run(request, replicas);
    };
    return knob;
  }

  // Averages over the warps that run on the busiest SM, weighted by their number there.
  Knob count_knob(const ParameterSpec& spec, Count count) {
    Knob knob{spec.name, 0, spec.max, spec.min, spec.min, spec.max, nullptr};
    double warps = 0;
    for (const Launch& launch : request_.point->launches) {
      const LaunchWaves waves = launch_waves(launch, request_.device->count("sms"));
      const auto add = [&](Wave wave, std::int64_t times) {
        change_counts(count_changes(request_), wave.warps);
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
    knob.run = [this, count](std::int64_t change, Replicas replicas) {
      PointRequest request = request_;
      request.more_per_warp.*count = change;
      return run(request, replicas);
    };
    return knob;
  }

  void note(Outcome outcome) {
    outcome_ = std::min(outcome_, outcome);
    if (base_is_run_) refuse_cut_off(outcome, !request_.net_template->until.empty());
  }

  Samples run(const PointRequest& request, Replicas replicas) {
    const Prediction prediction = predict({request}, with(replicas, options_)).front();
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
SensitivityReport report_of(Runs runs, const ReplicaRule& rule, double relative_step,
                            bool has_goal) {
  SensitivityReport out = runs.head();
  BaseRuns base([&](Replicas replicas) { return runs.base(replicas); });
  base.first(rule.first);
  const bool has_ended = came_to_end(runs.outcome(), has_goal);
  for (const Knob& knob : runs.knobs()) {
    out.rows.push_back(has_ended ? varied(knob, rule, base, relative_step) : not_varied(knob));
  }
  out.rule = rule;
  out.options.replicas = static_cast<std::uint32_t>(base.all().size());
  out.steps = estimate_of(base.all());
  out.first_steps = base.all().front();
  out.outcome = runs.outcome();
  out.has_ended = came_to_end(out.outcome, has_goal);
  return out;
}

}  // namespace

SensitivityReport sensitivity(const SweepInput& input, const RunOptions& options,
                              const ReplicaRule& rule, double relative_step) {
  if (input.net) {
    fail_usage(input.input +
               " is a net without parameters; only templates and kernel models have "
               "some");
  }
  const bool has_goal = !input.until.empty() || !input.templates.at(0).until.empty();
  return input.model ? report_of(ModelRuns(input, options), rule, relative_step, has_goal)
                     : report_of(TemplateRuns(input, options), rule, relative_step, has_goal);
}

}  // namespace pnsim
