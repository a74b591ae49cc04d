// Results of runs as text for the terminal and as CSV.
#include "simulator/analysis/predict/run_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "simulator/analysis/predict/expected_time.h"
#include "simulator/analysis/predict/known_errors.h"
#include "simulator/analysis/predict/launch_counts.h"
#include "simulator/analysis/runs/estimate.h"
#include "simulator/base/csv.h"
#include "simulator/base/short_names.h"
#include "simulator/base/table.h"

namespace pnsim {
namespace {

constexpr std::size_t kMaxPlacesShown = 12;
constexpr std::size_t kMaxRunsListed = 10;

std::string parameters_text(const ParameterValues& parameters) {
  std::string text;
  for (const auto& [name, values] : parameters) {
    text += (text.empty() ? "" : ", ") + name + " = ";
    text +=
        values.size() == 1 ? std::to_string(values[0]) : std::to_string(values.size()) + " values";
  }
  return text;
}

std::string factor_text(double factor) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", factor);
  return text;
}

std::string marking_text(const Net& net, const Marking& marking) {
  std::string text;
  std::size_t shown = 0, marked = 0;
  for (std::uint32_t p = 0; p < marking.size(); ++p) {
    if (marking[p] == 0) continue;
    ++marked;
    if (shown == kMaxPlacesShown) continue;
    ++shown;
    text += (text.empty() ? "" : ", ") + net.name_of(PlaceId{p}) + " = " + grouped(marking[p]);
  }
  if (marked > shown) text += " and " + std::to_string(marked - shown) + " more";
  return text.empty() ? "no tokens" : text;
}

std::string conflicts_text(const ConflictCounts& conflicts) {
  if (conflicts.empty()) return "";
  TextTable table({"contested place", "times", "competing: won"});
  for (const auto& [place, count] : conflicts) {
    std::string won;
    for (const auto& [transition, times] : count.won) {
      won += (won.empty() ? "" : ", ") + transition + ": " + grouped(static_cast<long long>(times));
    }
    table.add_row({place, grouped(static_cast<long long>(count.times)), won});
  }
  return "\nconflicts (resolved at random, by template place)\n" + table.text(2);
}

std::string stopped_text(const std::optional<Stopped>& stopped) {
  if (!stopped) return "";
  return text_line("precision",
                   std::string(stopped->reached ? "reached" : "NOT reached") + ": within " +
                       significant(100 * stopped->relative_half_width, 2) +
                       " % of the mean (requested: " + significant(100 * stopped->rel_error, 2) +
                       " %), 95 % over " + std::to_string(stopped->looks) +
                       (stopped->looks == 1 ? " check" : " checks"));
}

template <class Get>
Estimate over_runs(const NetRunReport& report, Get get) {
  std::vector<double> values;
  for (const RunResult& run : report.result.runs) values.push_back(static_cast<double>(get(run)));
  return estimate_of(values);
}

std::string final_markings_text(const NetRunReport& report) {
  const std::vector<RunResult>& runs = report.result.runs;
  if (runs.size() == 1) {
    return text_line("final marking", marking_text(*report.net, runs[0].final_marking));
  }
  TextTable table({"replica", "outcome", "steps", "firings", "final marking"});
  for (std::size_t i = 0; i < std::min(runs.size(), kMaxRunsListed); ++i) {
    table.add_row({std::to_string(runs[i].id.replica), std::string(outcome_name(runs[i].outcome)),
                   std::to_string(runs[i].steps), std::to_string(runs[i].firings),
                   marking_text(*report.net, runs[i].final_marking)});
  }
  std::string text = "\n" + table.text(2);
  if (runs.size() > kMaxRunsListed) {
    text += "  ... " + std::to_string(runs.size() - kMaxRunsListed) + " more replicas\n";
  }
  return text;
}

}  // namespace

std::string text_line(const std::string& label, const std::string& value) {
  return label + std::string(24 - std::min<std::size_t>(24, label.size()), ' ') + printable(value) +
         "\n";
}

std::string device_lines(const ModelRunReport& report) {
  const std::string elsewhere = profiled_elsewhere_text(report);
  return text_line("device", report.device->described()) +
         (elsewhere.empty() ? "" : text_line("profiled elsewhere", elsewhere));
}

std::string options_text(const RunOptions& options) {
  return "seed " + std::to_string(options.seed) + ", " + std::to_string(options.replicas) +
         (options.replicas == 1 ? " replica" : " replicas") + ", engine " +
         engine_name(options.engine);
}

std::string net_text(const ModelRunReport& report) {
  const Prediction& p = report.prediction;
  std::string text = parameters_text(p.net_parameters);
  if (!p.counts.empty()) text += ", " + parameters_text(p.counts);
  for (const auto& [name, factor] : p.factors) {
    if (!p.net_parameters.contains(name)) text += ", " + name + " * " + factor_text(factor);
  }
  return report.net + "  (" + text + ")";
}

namespace {

std::string signed_text(double value, int decimals) {
  return (value >= 0 ? "+" : "") + fixed(value, decimals);
}

int decimals_of(double value) { return value == std::floor(value) ? 0 : 1; }

}  // namespace

std::string text_of(const AgainstDefault& against) {
  const double now = against.steps + against.change;
  std::string text = signed_text(against.change, decimals_of(against.change));
  if (against.half_width) text += " ± " + significant(*against.half_width, 2) + " (95 %)";
  text += " steps (" + signed_text(against.percent(), 1) + " %): ";
  text += fixed(now, decimals_of(now)) + " instead of " +
          fixed(against.steps, decimals_of(against.steps));
  std::string with = parameters_text(against.parameters);
  for (std::size_t i = 0; i < against.own.size(); ++i) {
    with += (with.empty() ? ""
             : i == 0     ? " and "
                          : ", ") +
            std::string(i == 0 ? "the model's own " : "") + against.own[i];
  }
  return with.empty() ? text : text + " with " + with;
}

std::string no_scale_text(const ModelRunReport& report) {
  if (!report.has_times) {
    return "no time scale: no times are recorded on " + report.device->name +
           ", so none can be fitted; net sm needs none";
  }
  return "no time scale for these parameters" +
         (report.calibrate.empty() ? "" : "; this fits one: " + report.calibrate);
}

std::string calibrate_line(const ModelRunReport& report) {
  if (!report.has_times || report.calibrate.empty()) return "";
  return text_line("before you fit one", calibrate_effect(report.device->name));
}

std::string launches_text(const ModelRunReport& report) {
  const double total = report.prediction.mean_steps();
  // A net with block slots runs all blocks of the SM in one simulation.
  const auto has_slots = [](const LaunchPrediction& launch) { return launch.sm_blocks > 0; };
  const bool slots =
      std::any_of(report.prediction.launches.begin(), report.prediction.launches.end(), has_slots);
  TextTable table({"launch", "repeat", "grid", "block", slots ? "SM's blocks" : "waves", "warps",
                   "steps each", "share %", "predicted us"});
  for (const LaunchPrediction& launch : report.prediction.launches) {
    const double steps = mean(launch.steps);
    const double all = steps * static_cast<double>(launch.repeat);
    table.add_row(
        {short_kernel(launch.kernel, launch.template_arguments), std::to_string(launch.repeat),
         std::to_string(launch.grid), std::to_string(launch.block),
         slots ? std::to_string(launch.sm_blocks) : fixed(launch.waves(), 0),
         std::to_string(launch.warps), fixed(steps, steps == std::floor(steps) ? 0 : 1),
         fixed(total > 0 ? 100 * all / total : 0, 1),
         report.scale ? significant(all * launch.slowdown * report.scale->us_per_step, 4) : "-"});
  }
  return table.text(2);
}

namespace {

// "36.6 us  (...)": the time, how it was found, and its error.
std::string expected_text(double us, const ModelRunReport& report) {
  return significant(us, 4) + " us  (of this launch as it is: the profiled time less " +
         fixed(*profiler_adds_us(*report.device), 2) + " us; " + expected_error_text() +
         ", profiled with --clock-control none --cache-control none)";
}

// The profiled time, and the one to expect; "" without the first.
std::string profiled_text(const ModelRunReport& report) {
  const std::optional<double> profiled = profiled_us(report);
  if (!profiled) return "";
  const std::string on = report.model->provenance.value("profiled_on", std::string());
  const std::string compared =
      expected_us(report) ? ", which adds about " + fixed(*profiler_adds_us(*report.device), 2) +
                                " us to a short launch"
                          : "; back to back, " + profiled_share_text(*profiled);
  const std::optional<double> unprofiled = unprofiled_us(report), count = stands_for(*report.model);
  return text_line("profiled time", significant(*profiled, 4) + " us  (" +
                                        (on.empty() ? "" : on + ", ") + "under the profiler" +
                                        compared + ")") +
         (unprofiled ? text_line("expected time", expected_text(*unprofiled, report)) : "") +
         (count ? text_line("stands for", launches_text(*count)) : "");
}

}  // namespace

std::string measured_text(const ModelRunReport& report) {
  std::string text;
  if (report.measured) {
    text += text_line("measured time",
                      significant(report.measured->median_us, 4) +
                          " us  (5 to 95 %: " + significant(report.measured->p05_us, 4) + " to " +
                          significant(report.measured->p95_us, 4) + ", " + report.measured->source +
                          ")");
  } else {
    text += text_line("measured time",
                      report.is_what_if       ? "- (a what-if: no GPU was measured with this --set)"
                      : report.mode == "warm" ? "- (this point has not been measured)"
                                              : "- (no " + report.mode + " time is recorded)");
    text += profiled_text(report);
  }
  return text;
}

std::string typical_error_line(const ModelRunReport& report) {
  const std::string text = typical_error_text(report);
  return text.empty() ? "" : text_line("typical error", text);
}

namespace {

// What a step is, and where tensor cores lower the clock of the launches.
std::string scale_text(const ModelRunReport& report) {
  const std::vector<LaunchPrediction>& launches = report.prediction.launches;
  const double us_per_step = report.scale->us_per_step;
  if (launches.size() == 1 && launches[0].slowdown > 1) {
    return significant(us_per_step * launches[0].slowdown * 1e3, 4) +
           " ns per step, one step is one cycle at " + fixed(launches[0].clock_mhz, 0) +
           " MHz: the device lowers its clock while its tensor cores work";
  }
  const auto slow = [](const LaunchPrediction& launch) { return launch.slowdown > 1; };
  const auto slowed = std::count_if(launches.begin(), launches.end(), slow);
  const std::string text =
      significant(us_per_step * 1e3, 4) + " ns per step, " + scale_source(report);
  if (slowed == 0) return text;
  const auto slowest =
      std::min_element(launches.begin(), launches.end(),
                       [](const auto& a, const auto& b) { return a.clock_mhz < b.clock_mhz; });
  return text + "; " + std::to_string(slowed) + " of " + std::to_string(launches.size()) +
         " launches at a lower clock, down to " + fixed(slowest->clock_mhz, 0) +
         " MHz, because their tensor cores work";
}

}  // namespace

std::string error_percent_text(const ModelRunReport& report) {
  const double error = *predicted_us(report) / report.measured->median_us - 1;
  return (error >= 0 ? "+" : "") + fixed(100 * error, 1);
}

namespace {

std::string time_text(const ModelRunReport& report) {
  std::string text = report.mode == "warm" ? "" : text_line("mode", report.mode);
  if (report.prediction.outcome == Outcome::kLimit) {
    text += text_line("predicted time", "- (not every run ended)");
  } else if (report.scale) {
    text += text_line("predicted time",
                      significant(*predicted_us(report), 4) + " us  (" + scale_text(report) + ")");
  } else if (report.prediction.outcome == Outcome::kDead) {
    text += text_line("predicted time", "- (a run ended dead before the goal)");
  } else {
    text += text_line("predicted time", "- (" + no_scale_text(report) + ")");
    text += calibrate_line(report);
  }
  text += measured_text(report);
  if (report.scale && report.measured) {
    text += text_line("error", error_percent_text(report) + " % of the measured time");
  }
  return text;
}

}  // namespace

namespace {

std::string outcome_text(Outcome outcome) {
  const std::string name(outcome_name(outcome));
  if (outcome != Outcome::kFixed) return name;
  return name +
         " (the marking can no longer change: every enabled transition gives back what it takes)";
}

}  // namespace

std::string text_of(const NetRunReport& report) {
  std::string text = text_line(
      "net", report.net->name() + " (" +
                 grouped(static_cast<long long>(report.net->place_count())) + " places, " +
                 grouped(static_cast<long long>(report.net->transition_count())) + " transitions)");
  if (!report.parameters.empty())
    text += text_line("parameters", parameters_text(report.parameters));
  text += text_line("run", options_text(report.options));
  text += text_line("outcome", outcome_text(report.result.outcome));
  text += text_line("steps", text_of(over_runs(report, [](auto& r) { return r.steps; })));
  text += stopped_text(report.stopped);
  text += text_line("firings", text_of(over_runs(report, [](auto& r) { return r.firings; })));
  if (report.result.runs[0].waiting_steps) {
    text += text_line("waiting steps",
                      text_of(over_runs(report, [](auto& r) { return *r.waiting_steps; })));
  }
  if (report.result.runs[0].idle_scheduler_steps) {
    text += text_line("idle scheduler steps",
                      text_of(over_runs(report, [](auto& r) { return *r.idle_scheduler_steps; })));
  }
  text += final_markings_text(report);
  if (report.reasons) text += text_of(*report.reasons);
  return text + conflicts_text(report.result.conflicts);
}

std::string text_of(const ModelRunReport& report) {
  const Prediction& p = report.prediction;
  std::string text = text_line("model", titled_model(report.model->name, "  ", p.problem));
  text += text_line("net", net_text(report));
  text += device_lines(report);
  text += text_line("run", options_text(report.options));
  text += "\n" + launches_text(report) + "\n";
  text += text_line("outcome", std::string(outcome_name(p.outcome)));
  text += text_line("steps", text_of(estimate_of(p.steps)));
  text += stopped_text(report.stopped);
  if (p.counts_waiting) text += text_line("waiting steps", text_of(estimate_of(p.waiting_steps)));
  if (p.counts_idle) {
    text += text_line("idle scheduler steps", text_of(estimate_of(p.idle_scheduler_steps)));
  }
  text += time_text(report) + typical_error_line(report);
  text += text_of(report.warnings);
  if (report.against_default)
    text += text_line("change by --set", text_of(*report.against_default));
  return report.reasons ? text + text_of(*report.reasons) : text;
}

std::string csv_of(const NetRunReport& report) {
  const auto text = [](const std::optional<std::uint64_t>& value) {
    return value ? std::to_string(*value) : std::string();
  };
  std::string csv = csv_line({"replica", "stream", "outcome", "steps", "firings", "waiting_steps",
                              "idle_scheduler_steps"});
  for (const RunResult& run : report.result.runs) {
    csv += csv_line({std::to_string(run.id.replica), std::to_string(run.id.stream),
                     std::string(outcome_name(run.outcome)), std::to_string(run.steps),
                     std::to_string(run.firings), text(run.waiting_steps),
                     text(run.idle_scheduler_steps)});
  }
  return csv;
}

std::vector<std::vector<std::string>> csv_cells(const ModelRunReport& report) {
  const auto us = [&](double steps_at_device_clock) {
    return report.scale ? fixed(steps_at_device_clock * report.scale->us_per_step, 6)
                        : std::string();
  };
  std::vector<std::vector<std::string>> lines{{"kernel", "repeat", "grid", "block", "waves",
                                               "steps", "predicted_us", "measured_us", "mode",
                                               "outcome"}};
  const std::string outcome(outcome_name(report.prediction.outcome));
  for (const LaunchPrediction& launch : report.prediction.launches) {
    const double steps = mean(launch.steps);
    lines.push_back({launch.kernel, std::to_string(launch.repeat), std::to_string(launch.grid),
                     std::to_string(launch.block), fixed(launch.waves(), 0), fixed(steps, 3),
                     us(launch.slowdown * steps), "", report.mode, outcome});
  }
  const double steps = report.prediction.mean_steps();
  lines.push_back({"total", "1", "", "", "", fixed(steps, 3),
                   us(report.prediction.mean_steps_at_device_clock()),
                   report.measured ? fixed(report.measured->median_us, 6) : "", report.mode,
                   outcome});
  return lines;
}

std::string csv_of(const ModelRunReport& report) {
  std::string csv;
  for (const std::vector<std::string>& line : csv_cells(report)) csv += csv_line(line);
  return csv;
}

}  // namespace pnsim
