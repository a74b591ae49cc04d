// A check as data; docs/check.md lists the keys.
#include "simulator/analysis/check_report.h"

namespace pnsim {
namespace {

constexpr std::size_t kMaxFamilies = 1000;  // listed of each kind

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json family_list(const std::vector<Family>& families, const char* tag_name) {
  Json out = Json::array();
  for (std::size_t f = 0; f < families.size() && f < kMaxFamilies; ++f) {
    Json one = {{"terms", to_json(families[f].terms)}, {"count", families[f].count}};
    if (tag_name) one[tag_name] = families[f].tag;
    out.push_back(std::move(one));
  }
  return out;
}

Json searched(const FamilyList& list, const char* tag_name) {
  return {{"found", list.found},
          {"stopped", or_null(list.stopped)},
          {"families", family_list(list.families, tag_name)}};
}

Json shape_json(const NetShape& shape) {
  return {{"places", shape.places},
          {"transitions", shape.transitions},
          {"arcs", shape.arcs},
          {"inhibitor_arcs", shape.inhibitor_arcs},
          {"max_weight", shape.max_weight},
          {"parts", shape.parts},
          {"state_machine", shape.state_machine},
          {"marked_graph", shape.marked_graph},
          {"free_choice", shape.free_choice}};
}

Json shared_place_json(const SharedPlaceLine& line) {
  Json pairs = Json::array();
  for (const auto& pair : line.competing) {
    pairs.push_back({{"transitions", {pair.first, pair.second}},
                     {"pairs", pair.pairs},
                     {"possible", pair.possible}});
  }
  Json won = Json::object();
  for (const auto& [name, times] : line.seen.won) won[name] = times;
  return {{"place", line.place},       {"instances", line.instances}, {"transitions", line.takers},
          {"pairs", std::move(pairs)}, {"examined", line.examined},   {"times", line.seen.times},
          {"won", std::move(won)}};
}

Json runs_json(const CheckReport& report) {
  const WatchedRuns& runs = report.runs;
  Json list = Json::array();
  for (const WatchedRun& run : runs.runs) {
    list.push_back({{"replica", run.result.id.replica},
                    {"outcome", outcome_name(run.result.outcome)},
                    {"repeats", run.repeats},
                    {"steps", run.result.steps}});
  }
  Json residue = Json::array();
  for (const Residue& left : report.residue) {
    residue.push_back({{"place", left.place},
                       {"instances", left.instances},
                       {"mean_tokens", left.mean_tokens},
                       {"initial_tokens", left.initial_tokens},
                       {"left_behind", left.is_left_behind}});
  }
  return {{"runs", std::move(list)},
          {"error", or_null(runs.error)},
          {"residue", std::move(residue)},
          {"enabled_at_end", to_json(report.enabled_at_end)},
          {"never_fired", to_json(report.never_fired)}};
}

Json bounds_json(const CheckReport& report) {
  Json bounds = Json::array();
  for (const auto& [bound, places] : report.bounds) {
    bounds.push_back({{"bound", bound}, {"places", to_json(places)}});
  }
  if (!report.unbounded.empty()) {
    bounds.push_back({{"bound", nullptr}, {"places", to_json(report.unbounded)}});
  }
  return bounds;
}

}  // namespace

Json to_json(const CheckReport& report) {
  Json findings = Json::array();
  for (const Finding& finding : report.findings) {
    findings.push_back({{"severity", severity_name(finding.severity)},
                        {"topic", finding.topic},
                        {"text", finding.text}});
  }
  Json shared = Json::array();
  for (const SharedPlaceLine& line : report.shared_places) {
    shared.push_back(shared_place_json(line));
  }
  Json sums = searched(report.sums, "value");
  sums["basis_size"] = report.sum_basis_size ? Json(*report.sum_basis_size) : Json(nullptr);
  return {{"net", report.net},
          {"findings", std::move(findings)},
          {"shape", shape_json(report.shape)},
          {"goal", to_json(report.goal)},
          {"clusters", family_list(report.clusters, nullptr)},
          {"shared_places", std::move(shared)},
          {"place_sums", std::move(sums)},
          {"cycles", searched(report.cycles, nullptr)},
          {"bounds", bounds_json(report)},
          {"siphons", searched(report.siphons, "state")},
          {"traps", searched(report.traps, "state")},
          {"endless", to_json(report.endless)},
          {"self_sustaining", to_json(report.self_sustaining)},
          {"never_enabled", family_list(report.never_enabled, "reason")},
          {"watched", runs_json(report)}};
}

}  // namespace pnsim
