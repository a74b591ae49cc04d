#include "simulator/cli/trace.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "simulator/analysis/pictures/record.h"
#include "simulator/analysis/predict/run_point.h"
#include "simulator/base/error.h"
#include "simulator/base/extension.h"
#include "simulator/base/json.h"
#include "simulator/base/output.h"
#include "simulator/engine/reference_engine.h"
#include "simulator/engine/run.h"

namespace pnsim {
namespace {

std::string trace_line(const Net& net, const Json& step, std::vector<TransitionId> fired,
                       const Marking& marking) {
  Json line;
  line["step"] = step;
  line["fired"] = Json::array();
  std::sort(fired.begin(), fired.end());
  for (const TransitionId t : fired) line["fired"].push_back(net.name_of(t));
  line["marking"] = Json::object();
  auto& members = line["marking"].get_ref<Json::object_t&>();
  for (std::uint32_t p = 0; p < marking.size(); ++p) {
    if (marking[p] != 0) members.push_back({net.name_of(PlaceId{p}), marking[p]});
  }
  return to_line(line) + "\n";
}

// The last line says so when the run did not come to its end.
void mark_end(Outcome outcome, bool has_goal, std::string& text) {
  if (came_to_end(outcome, has_goal) || !text.ends_with("}\n")) return;
  text.resize(text.size() - 2);
  text += ",\"outcome\":\"" + std::string(outcome_name(outcome)) + "\"}\n";
}

// Throws error 3 when no picture can be made.
RunPicture picture_of(const TracedRun& run, const std::string& steps,
                      std::optional<std::uint64_t> default_steps) {
  const bool has_states = run.net_template && (run.net_template->reasons.schedulers ||
                                               !run.net_template->warp_states.states.empty());
  if (!has_states) {
    fail_input(run.net->name(),
               "the net declares no states of its warps, which a picture of a run needs; use a net "
               "template such as wpnm or sm");
  }
  PictureWindow window;
  if (!steps.empty()) {
    window.steps = parse_step_window(steps);
  } else if (default_steps) {
    window.length = *default_steps;
  } else {
    window.steps = StepWindow{};
  }
  RunPicture picture =
      record_picture(*run.net, *run.net_template, *run.values, run.id, run.max_steps, window);
  if (!steps.empty() && picture.first == picture.end) {
    spdlog::warn("--trace-steps {}: {}, so the picture is empty", steps, steps_text(picture));
  }
  if (!run.title.empty()) picture.title = run.title;
  picture.notes = run.notes;
  if (!window.steps && !picture.ends_here) {
    picture.notes.push_back("The default window: " + std::to_string(picture.end - picture.first) +
                            " " + picture.step +
                            "s from the first warp's start. Choose another one with --trace-steps "
                            "FIRST:LAST.");
  }
  return picture;
}

}  // namespace

std::string trace_text(const Net& net, RunId id, std::uint64_t max_steps, StepWindow window) {
  ReferenceEngine engine(net, id);
  std::string text = window.first == 0 ? trace_line(net, nullptr, {}, engine.marking()) : "";
  std::uint64_t lines = 0;
  const bool ends_fixed = may_end_fixed(net);
  while (!engine.outcome(max_steps) && engine.steps() <= window.last) {
    if (ends_fixed && engine.is_fixed()) return text;
    const std::span<const TransitionId> fired = engine.choose();
    const std::vector<TransitionId> list(fired.begin(), fired.end());
    engine.fire();
    const std::uint64_t step = engine.steps() - 1;
    if (step < window.first) continue;
    if (++lines > kMaxTraceSteps) {
      fail_limit("--trace: the run is longer than " + std::to_string(kMaxTraceSteps) +
                 " steps; give --trace-steps A:B");
    }
    text += trace_line(net, step, list, engine.marking());
  }
  if (const auto outcome = engine.outcome(max_steps)) mark_end(*outcome, net.has_goal(), text);
  return text;
}

void check_traces(const TraceOptions& options) {
  if (!options.is_wanted() && !options.steps.empty()) {
    fail_usage("--trace-steps needs --trace or --timeline");
  }
  if (!options.is_wanted() && options.launch != 0) {
    fail_usage("--launch needs --trace or --timeline");
  }
  if (!options.trace.empty() && !options.is_lines() && !has_extension(options.trace, ".json")) {
    fail_usage("--trace " + options.trace +
               ": expected a file name that ends in .jsonl (one line per "
               "step) or .json (Chrome trace)");
  }
  if (!options.timeline.empty() && !has_extension(options.timeline, ".svg")) {
    fail_usage("--timeline " + options.timeline + ": expected a file name that ends in .svg");
  }
  if (!options.steps.empty()) parse_step_window(options.steps);
}

Traces::Traces(const TraceOptions& options, const TracedRun& run)
    : options_(options), has_goal_(run.net->has_goal()) {
  check_traces(options);
  if (options.is_lines()) {
    const StepWindow window =
        options.steps.empty() ? StepWindow{} : parse_step_window(options.steps);
    lines_ = trace_text(*run.net, run.id, run.max_steps, window);
    if (lines_.empty()) {
      spdlog::warn("--trace-steps {}: the run ended before step {}, so the trace has no lines",
                   options.steps, window.first);
    }
  } else if (!options.trace.empty()) {
    chrome_ = picture_of(run, options.steps, run.trace_steps);
  }
  if (options.timeline.empty()) return;
  timeline_ = picture_of(run, options.steps, run.timeline_steps);
  timeline_svg(*timeline_);  // may refuse the number of steps
}

void Traces::write(Outcome outcome) {
  for (std::optional<RunPicture>* picture : {&timeline_, &chrome_}) {
    if (*picture && !(*picture)->ends_here) set_end(**picture, outcome, has_goal_, false);
  }
  if (timeline_) write_file_whole(options_.timeline, timeline_svg(*timeline_));
  if (options_.trace.empty()) return;
  const std::string trace = chrome_ ? chrome_trace(*chrome_) : lines_;
  if (options_.trace == "-") return write_stdout(trace);
  write_file_whole(options_.trace, trace);
}

const RunPicture* Traces::picture() const {
  if (timeline_) return &*timeline_;
  return chrome_ ? &*chrome_ : nullptr;
}

}  // namespace pnsim
