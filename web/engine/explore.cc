#include "web/engine/explore.h"

#include <algorithm>

#include "simulator/analysis/pictures/record.h"
#include "simulator/analysis/runs/replicas.h"
#include "simulator/base/error.h"
#include "web/engine/paper_request.h"

namespace pnsim {
namespace {

constexpr std::int64_t kMaxReplicas = 1000;
constexpr std::uint64_t kTimelineSteps = 20'000;  // what a window shows at most

// The page's names for the states that the template names.
std::string kind_of(const std::string& state, bool is_warp) {
  if (state == "selecting") return "ready";
  if (state == "waiting for a scheduler") return "waiting";
  if (state == "idle" && is_warp) return "ended";
  return state;
}

// The whole run when it is short. A run with very many spans is shown up to the default limit.
RunPicture recorded(const Net& net, const NetTemplate& net_template, RunId id,
                    std::uint64_t max_steps) {
  const WarpStates states = warp_states(net_template, net);
  PictureWindow window;
  window.steps = StepWindow{0, kTimelineSteps - 1};
  try {
    return record_warps(net, states, id, max_steps, window);
  } catch (const Error& error) {
    if (error.code() != ExitCode::kLimit) throw;
  }
  window.steps.reset();
  window.length = kTimelineSteps;
  return record_warps(net, states, id, max_steps, window);
}

void add_steps(std::uint64_t from, std::uint64_t to, std::string& text) {
  text += std::to_string(from) + "," + std::to_string(to - 1);
}

// Periods in which no scheduler is held: the gaps between the spans that hold one.
std::string idle_periods(const RunPicture& picture, std::uint32_t first_scheduler) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> busy;
  for (const PictureSpan& span : picture.spans) {
    if (span.track >= first_scheduler && span.warp != kNoWarp)
      busy.emplace_back(span.from, span.to);
  }
  std::sort(busy.begin(), busy.end());
  busy.emplace_back(picture.end, picture.end);
  std::string idle;
  std::uint64_t at = picture.first;
  for (const auto& [from, to] : busy) {
    if (from > at) {
      idle += idle.empty() ? "[" : ",[";
      add_steps(at, from, idle);
      idle += "]";
    }
    at = std::max(at, to);
  }
  return "[" + idle + "]";
}

// A text, because a tree of JSON values takes several times as long as the run: the picture has
// tens of thousands of spans.
class TimelineText {
 public:
  explicit TimelineText(const RunPicture& picture)
      : picture_(picture),
        warps_(static_cast<std::uint32_t>(picture.groups[0].tracks.size())),
        text_("{\"first\":" + std::to_string(picture.first) +
              ",\"end\":" + std::to_string(picture.end)) {
    for (const PictureState& state : picture.states) {
      kinds_of_warps_.push_back(to_line(kind_of(state.name, true)));
      kinds_.push_back(to_line(kind_of(state.name, false)));
    }
  }

  std::string text() && {
    const std::size_t schedulers =
        picture_.groups.size() > 1 ? picture_.groups[1].tracks.size() : 0;
    text_ += ",\"warps\":";
    add_rows("warp", 0, warps_);
    text_ += ",\"schedulers\":";
    add_rows("scheduler", warps_, warps_ + static_cast<std::uint32_t>(schedulers));
    return std::move(text_) + ",\"idle\":" + idle_periods(picture_, warps_) + "}";
  }

 private:
  // The spans are ordered by track.
  void add_rows(const std::string& name, std::uint32_t first, std::uint32_t last) {
    text_ += "[";
    for (std::uint32_t track = first; track < last; ++track) {
      text_ += (track == first ? "{\"" : ",{\"") + name + "\":" + std::to_string(track - first);
      text_ += ",\"spans\":[";
      for (bool is_first = true; at_ < picture_.spans.size() && picture_.spans[at_].track == track;
           ++at_, is_first = false) {
        if (!is_first) text_ += ',';
        add_span(picture_.spans[at_]);
      }
      text_ += "]}";
    }
    text_ += "]";
  }

  void add_span(const PictureSpan& span) {
    text_ += '[';
    text_ += (span.track < warps_ ? kinds_of_warps_ : kinds_)[span.state];
    text_ += ',';
    add_steps(span.from, span.to, text_);
    if (span.warp != kNoWarp) text_ += "," + std::to_string(span.warp);
    text_ += ']';
  }

  const RunPicture& picture_;
  const std::uint32_t warps_;
  std::vector<std::string> kinds_of_warps_, kinds_;  // [state] as JSON
  std::size_t at_ = 0;                               // the next span
  std::string text_;
};

// The mean over the replicas; null where the net declares no such number.
template <class Number>
Json mean_of(const ReplicaRuns& runs, Number number) {
  double sum = 0;
  for (const RunResult& run : runs.runs) {
    const auto value = number(run);
    if (!value) return nullptr;
    sum += static_cast<double>(*value);
  }
  return sum / static_cast<double>(runs.runs.size());
}

using Count = std::optional<std::uint64_t>;

}  // namespace

std::string explore(const JsonReader& request) {
  request.only(
      {"net", "W", "S", "l1", "l2", "xa", "xs", "xg", "seed", "replicas", "timeline", "max_steps"});
  const NetTemplate net_template = paper_net(request);
  ParameterValues values = paper_counts(request);
  values["l1"] = {paper_number(request.at("l1"))};
  values["l2"] = {paper_number(request.at("l2"))};
  const Net net = instantiate(net_template, values);
  RunOptions options;
  options.seed = seed_of(request);
  options.max_steps = max_steps_of(request);
  const auto replicas = request.find("replicas");
  options.replicas = replicas ? static_cast<std::uint32_t>(replicas->integer(1, kMaxReplicas)) : 1;
  const ReplicaRuns runs = run_replicas(net, options);
  Json out;
  out["steps"] = mean_of(runs, [](const RunResult& run) { return Count(run.steps); });
  out["outcome"] = outcome_name(runs.outcome);
  out["waiting_steps"] = mean_of(runs, [](const RunResult& run) { return run.waiting_steps; });
  out["idle_scheduler_steps"] =
      mean_of(runs, [](const RunResult& run) { return run.idle_scheduler_steps; });
  out["firings"] = mean_of(runs, [](const RunResult& run) { return Count(run.firings); });
  std::string text = to_line(out);
  const auto timeline = request.find("timeline");
  if (!timeline || !timeline->boolean()) return text;
  const RunPicture picture = recorded(net, net_template, {options.seed, 0, 0}, options.max_steps);
  text.back() = ',';
  return text + "\"timeline\":" + TimelineText(picture).text() + "}";
}

}  // namespace pnsim
