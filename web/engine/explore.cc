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

// Periods in which no scheduler is held: the gaps between the spans that hold one.
Json idle_periods(const RunPicture& picture, std::uint32_t first_scheduler) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> busy;
  for (const PictureSpan& span : picture.spans) {
    if (span.track >= first_scheduler && span.warp != kNoWarp)
      busy.emplace_back(span.from, span.to);
  }
  std::sort(busy.begin(), busy.end());
  Json idle = Json::array();
  std::uint64_t at = picture.first;
  for (const auto& [from, to] : busy) {
    if (from > at) idle.push_back({at, from - 1});
    at = std::max(at, to);
  }
  if (at < picture.end) idle.push_back({at, picture.end - 1});
  return idle;
}

Json timeline_of(const RunPicture& picture) {
  const auto warps = static_cast<std::uint32_t>(picture.groups[0].tracks.size());
  std::size_t tracks = 0;
  for (const PictureGroup& group : picture.groups) tracks += group.tracks.size();
  std::vector<Json> spans(tracks, Json::array());
  for (const PictureSpan& span : picture.spans) {
    const bool is_warp = span.track < warps;
    Json shown{kind_of(picture.states[span.state].name, is_warp), span.from, span.to - 1};
    if (span.warp != kNoWarp) shown.push_back(span.warp);
    spans[span.track].push_back(std::move(shown));
  }
  Json out;
  out["first"] = picture.first;
  out["end"] = picture.end;
  out["warps"] = out["schedulers"] = Json::array();
  for (std::uint32_t track = 0; track < tracks; ++track) {
    const bool is_warp = track < warps;
    Json row;
    row[is_warp ? "warp" : "scheduler"] = is_warp ? track : track - warps;
    row["spans"] = std::move(spans[track]);
    out[is_warp ? "warps" : "schedulers"].push_back(std::move(row));
  }
  out["idle"] = idle_periods(picture, warps);
  return out;
}

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

Json explore(const JsonReader& request) {
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
  const auto timeline = request.find("timeline");
  if (timeline && timeline->boolean()) {
    out["timeline"] =
        timeline_of(recorded(net, net_template, {options.seed, 0, 0}, options.max_steps));
  }
  return out;
}

}  // namespace pnsim
