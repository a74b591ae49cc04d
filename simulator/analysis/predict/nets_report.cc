#include "simulator/analysis/predict/nets_report.h"

#include <algorithm>

#include "simulator/analysis/predict/run_text.h"
#include "simulator/analysis/runs/estimate.h"
#include "simulator/base/csv.h"
#include "simulator/base/table.h"

namespace pnsim {
namespace {

// The believed report first.
std::vector<const ModelRunReport*> in_order_of_belief(const NetsReport& report) {
  std::vector<const ModelRunReport*> out{&believed(report)};
  for (const ModelRunReport& other : report.reports) {
    if (&other != out.front()) out.push_back(&other);
  }
  return out;
}

std::string step_text(const ModelRunReport& report) {
  const std::string step = report.step_is_cycle ? "one cycle" : "without a unit";
  if (!report.scale) return step;
  const double steps = report.prediction.mean_steps();
  const double us = steps > 0 ? *predicted_us(report) / steps : report.scale->us_per_step;
  return step + " (" + significant(us * 1e3, 4) + " ns)";
}

std::string programs_count(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " other program" : " other programs");
}

std::string scale_remark(const ModelRunReport& report) {
  if (report.prediction.outcome == Outcome::kLimit) return "no time: not every run ended";
  if (!report.scale) {
    return report.prediction.outcome == Outcome::kDead ? "no time: a run ended dead before the goal"
                                                       : "no time scale for these parameters";
  }
  if (report.step_is_cycle) return "nothing is fitted";
  if (report.scale->programs.empty()) return "scale: " + report.scale->source;
  const std::size_t programs = report.scale->programs.size();
  if (has_borrowed_scale(report)) return "scale borrowed: fitted to " + programs_count(programs);
  return "scale fitted to this program" +
         (programs > 1 ? " and " + programs_count(programs - 1) : "");
}

std::string remark_text(const ModelRunReport& report) {
  if (!report.stopped) return scale_remark(report);
  return scale_remark(report) + "; precision " +
         (report.stopped->reached ? "reached" : "NOT reached") + " with " +
         std::to_string(report.options.replicas) + " replicas";
}

std::string predicted_cell(const ModelRunReport& report) {
  const std::optional<double> us = predicted_us(report);
  return us ? significant(*us, 4) : "-";
}

// The error against the measured time, else the share of the profiled time.
std::string distance_cell(const ModelRunReport& report) {
  const std::optional<double> us = predicted_us(report), profiled = profiled_us(report);
  if (us && report.measured) return error_percent_text(report);
  return us && profiled ? fixed(100 * *us / *profiled, 1) : "-";
}

std::string nets_table(const NetsReport& report) {
  const std::optional<MeasuredTime>& measured = report.reports.front().measured;
  const std::optional<double> profiled = profiled_us(report.reports.front());
  const bool is_profiled = !measured && profiled;
  TextTable table({"net", "steps", "a step is", "predicted us",
                   is_profiled ? "profiled us" : "measured us",
                   is_profiled ? "% of profiled" : "error %", "remark"});
  for (const ModelRunReport* net : in_order_of_belief(report)) {
    const std::string real = measured      ? significant(measured->median_us, 4)
                             : is_profiled ? significant(*profiled, 4)
                                           : "-";
    table.add_row({net->net, text_of(estimate_of(net->prediction.steps)), step_text(*net),
                   predicted_cell(*net), real, distance_cell(*net), remark_text(*net)});
  }
  return table.text(2);
}

// What the time of a net with a fitted scale is worth, and what the net is for.
std::string fitted_advice(const ModelRunReport& report) {
  std::string text = "Net " + report.net + " turns steps into time by one ";
  if (has_borrowed_scale(report)) {
    text += "fitted scale, here that of other programs.\n";
  } else if (report.scale && !report.scale->programs.empty()) {
    text += "scale, which was fitted to times of this program too.\nIts error here is no test. ";
  } else {
    text += "fitted scale.\n";
  }
  return text + "Use it to study the latencies l1 and l2.\n";
}

// The errors in README.md are those on measured GPUs.
constexpr const char* kOnEstimate =
    "This GPU's profile is an estimate: the errors in README.md do not apply. Use rankings and "
    "ratios,\nwith care. `experiment device` measures a GPU.\n";

// Which net to believe, and what the other one is for.
std::string advice_text(const NetsReport& report) {
  const std::vector<const ModelRunReport*> nets = in_order_of_belief(report);
  const ModelRunReport& first = *nets.front();
  const bool on_estimate = first.device != nullptr && !first.device->estimate.empty();
  std::string text, as_it_is;
  if (const std::optional<double> us = unprofiled_us(first)) {
    as_it_is = "The launch as it is: expect " + significant(*us, 4) +
               " us, from its profiled time. After changes and on other GPUs:\n";
  }
  if (!first.step_is_cycle) {
    text = "Believe net " + first.net + ", which the model names.\n";
  } else if (!first.scale) {
    text = "Net " + first.net + " has no time, because not every run came to its end.\n";
  } else if (first.device && are_of_tensor_cores(first.warnings, *first.device) && !on_estimate) {
    text = "Net " + first.net + " does not model all waits of what the warnings above name (" +
           kinds_text(first.warnings) + ").\nREADME.md lists the errors of launches with tensor " +
           "cores; `experiment validate --pages` compares\npredictions with your measured times.\n";
  } else if (!first.warnings.empty()) {
    text = "Do not rely on the time of net " + first.net + " alone: see the warnings above (" +
           kinds_text(first.warnings) + "). What they\nname is not fully modelled, so the errors " +
           "in README.md do not apply. `experiment validate --pages`\ncompares predictions with " +
           "your measured times, with and without such launches.\n";
    if (on_estimate) text += kOnEstimate;
  } else if (on_estimate) {
    text = "Net " + first.net + ": a step is one cycle, and nothing is fitted to kernels.\n" +
           kOnEstimate;
  } else {
    text = "Believe net " + first.net +
           ": a step is one cycle, and nothing is fitted to kernels. README.md lists its errors\n"
           "on the recorded programs.\n";
  }
  for (std::size_t i = 1; i < nets.size(); ++i) {
    if (!nets[i]->step_is_cycle) text += fitted_advice(*nets[i]);
  }
  return as_it_is + text;
}

}  // namespace

const ModelRunReport& believed(const NetsReport& report) {
  const auto it = std::find_if(report.reports.begin(), report.reports.end(),
                               [](const ModelRunReport& r) { return r.step_is_cycle; });
  return it == report.reports.end() ? report.reports.front() : *it;
}

const ModelRunReport* beside_believed(const NetsReport& report) {
  const std::vector<const ModelRunReport*> nets = in_order_of_belief(report);
  return nets.size() > 1 ? nets[1] : nullptr;
}

Json to_json(const NetsReport& report) {
  Json out = to_json(report.reports.front());
  if (report.net_was_given) return out;
  Json also = Json::array();
  for (std::size_t i = 1; i < report.reports.size(); ++i) {
    also.push_back(to_json(report.reports[i]));
  }
  out["also"] = std::move(also);
  return out;
}

std::string text_of(const NetsReport& report) {
  const ModelRunReport& net = believed(report);
  const std::string end = report.not_run.empty() ? "" : "\n" + report.not_run + "\n";
  if (report.reports.size() == 1) return text_of(net) + end;
  std::string text =
      text_line("model", titled_model(net.model->name, "  ", net.prediction.problem));
  text += device_lines(net);
  text += text_line("run", options_text(net.options));
  text += "\n" + nets_table(report);
  text += "\nlaunches on net " + net_text(net) + "\n\n" + launches_text(net) + "\n";
  text += measured_text(net) + typical_error_line(net);
  text += text_of(net.warnings);
  for (const ModelRunReport* each : in_order_of_belief(report)) {
    if (each->against_default) {
      text += text_line("change by --set, " + each->net, text_of(*each->against_default));
    }
    if (!each->scale && each->prediction.outcome == Outcome::kGoal) {
      text += text_line("time of " + each->net, no_scale_text(*each)) + calibrate_line(*each);
    }
  }
  if (net.reasons) text += text_of(*net.reasons);
  return text + "\n" + advice_text(report) + end;
}

std::string csv_of(const NetsReport& report) {
  if (report.net_was_given) return csv_of(report.reports.front());
  std::string csv;
  for (const ModelRunReport& net : report.reports) {
    std::vector<std::vector<std::string>> lines = csv_cells(net);
    lines.front().push_back("net");
    for (std::size_t i = 1; i < lines.size(); ++i) lines[i].push_back(net.net);
    for (std::size_t i = csv.empty() ? 0 : 1; i < lines.size(); ++i) csv += csv_line(lines[i]);
  }
  return csv;
}

}  // namespace pnsim
