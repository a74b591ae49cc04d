#include "simulator/cli/trace.h"

#include <algorithm>

#include "simulator/analysis/predict/run_point.h"
#include "simulator/base/error.h"
#include "simulator/base/json.h"
#include "simulator/base/output.h"
#include "simulator/engine/reference_engine.h"
#include "simulator/engine/run.h"

namespace pnsim {
namespace {

constexpr StepWindow kDefaultTimeline{0, 199};

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

bool is_lines(const std::string& trace) { return trace == "-" || trace.ends_with(".jsonl"); }

void check(const TraceOptions& options) {
  if (!options.is_wanted() && !options.steps.empty()) {
    fail_usage("--trace-steps needs --trace or --timeline");
  }
  if (!options.trace.empty() && !is_lines(options.trace) && !options.trace.ends_with(".json")) {
    fail_usage("--trace " + options.trace +
               ": expected a file name that ends in .jsonl (one line per "
               "step) or .json (Chrome trace)");
  }
  if (!options.timeline.empty() && !options.timeline.ends_with(".svg")) {
    fail_usage("--timeline " + options.timeline + ": expected a file name that ends in .svg");
  }
}

RunPicture picture_of(const NetInput& input, RunId id, std::uint64_t max_steps, StepWindow window) {
  if (!input.net_template) {
    fail_input(input.net.name(),
               "a net from a file declares no warp states, which a picture of a run needs; "
               "use a net template such as wpnm");
  }
  return record_picture(input.net, warp_states(*input.net_template, input.net), id, max_steps,
                        window);
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

void write_traces(const TraceOptions& options, const NetInput& input, RunId id,
                  std::uint64_t max_steps) {
  check(options);
  if (!options.is_wanted()) return;
  const StepWindow window = options.steps.empty() ? StepWindow{} : parse_step_window(options.steps);
  const auto picture = [&](StepWindow part) { return picture_of(input, id, max_steps, part); };
  std::string trace, timeline;
  if (is_lines(options.trace)) {
    trace = trace_text(input.net, id, max_steps, window);
  } else if (!options.trace.empty()) {
    trace = chrome_trace(picture(window));
  }
  if (!options.timeline.empty()) {
    timeline = timeline_svg(picture(options.steps.empty() ? kDefaultTimeline : window));
    write_file_whole(options.timeline, timeline);
  }
  if (options.trace == "-") return write_stdout(trace);
  if (!options.trace.empty()) write_file_whole(options.trace, trace);
}

}  // namespace pnsim
