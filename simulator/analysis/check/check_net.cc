#include "simulator/analysis/check/check_net.h"

#include <algorithm>

#include "simulator/analysis/check/check_findings.h"

namespace pnsim {
namespace {

std::vector<TaggedRow> tagged_sums(const PlaceInvariants& invariants) {
  std::vector<TaggedRow> rows;
  for (const PlaceSum& sum : invariants.sums) {
    const std::string value = sum.initial ? std::to_string(*sum.initial) : "over 2^62";
    rows.push_back({(sum.constant ? "= " : "<= ") + value, sum.terms});
  }
  return rows;
}

SparseRow row_of(const PlaceSet& places) {
  SparseRow row;
  for (const PlaceId p : places) row.push_back({p.value, 1});
  return row;
}

bool is_empty_after_a_run(const PlaceSet& places, const WatchedRuns& runs) {
  return std::any_of(runs.runs.begin(), runs.runs.end(), [&](const WatchedRun& run) {
    return std::all_of(places.begin(), places.end(),
                       [&](PlaceId p) { return run.result.final_marking[p.value] == 0; });
  });
}

std::string siphon_tag(SiphonState state, const PlaceSet& siphon, const WatchedRuns& runs) {
  if (state == SiphonState::kUnmarked) return "never marked";
  if (state == SiphonState::kStaysMarked) return "always marked";
  return is_empty_after_a_run(siphon, runs) ? "emptied in a run" : "may empty";
}

std::string trap_tag(const Net& net, const PlaceSet& trap) {
  const bool marked = std::any_of(trap.begin(), trap.end(),
                                  [&](PlaceId p) { return net.initial_marking()[p.value] > 0; });
  return marked ? "marked" : "unmarked";
}

template <class Tag>
FamilyList list_sets(const FamilyMaker& places, const PlaceSets& sets, Tag tag) {
  std::vector<TaggedRow> rows;
  for (const PlaceSet& set : sets.sets) rows.push_back({tag(set), row_of(set)});
  return {places.families(rows), rows.size(), sets.stopped};
}

FamilyList list_rows(const FamilyMaker& maker, const std::vector<TaggedRow>& rows,
                     const std::string& stopped) {
  return {maker.families(rows), rows.size(), stopped};
}

// Transitions for which `holds`, by template node.
template <class Predicate>
std::vector<GroupTerm> transitions_where(const Net& net, const FamilyMaker& transitions,
                                         Predicate holds) {
  std::vector<TransitionId> found;
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    if (holds(TransitionId{t})) found.push_back(TransitionId{t});
  }
  return transitions.describe(found);
}

// What the parts of a check share.
struct Check {
  const Net& net;
  NetGraph graph;
  PlaceInvariants sums;
  TransitionInvariants cycles;
  EnablingProof enabling;
  FamilyMaker places;
  FamilyMaker transitions;

  Check(const Net& n, const CheckOptions& options)
      : net(n),
        graph(graph_of(n)),
        sums(place_invariants(n, options.elimination)),
        cycles(transition_invariants(n, options.elimination)),
        enabling(n, sums),
        places(FamilyMaker::of_places(n)),
        transitions(FamilyMaker::of_transitions(n)) {}
};

void add_conflicts(const Check& check, const PairLimits& limits, CheckReport& report) {
  std::vector<TaggedRow> clusters;
  for (const ConflictCluster& cluster : conflict_clusters(check.net, check.graph)) {
    SparseRow row;
    for (const TransitionId t : cluster.transitions) row.push_back({t.value, 1});
    clusters.push_back({"", std::move(row)});
  }
  report.clusters = check.transitions.families(clusters);
  const std::vector<std::string> place_names = place_groups(check.net).names;
  const std::vector<std::string> names = transition_groups(check.net).names;
  std::map<std::string, const ConflictCount*> seen;  // by template place
  for (const auto& [place, count] : report.runs.conflicts) seen[place] = &count;
  for (const SharedPlace& shared : shared_places(check.net, check.graph, check.enabling, limits)) {
    SharedPlaceLine line;
    line.place = place_names[shared.place_group];
    line.instances = shared.instances;
    line.examined = shared.examined;
    for (const std::uint32_t t : shared.takers) line.takers.push_back(names[t]);
    for (const CompetingPair& pair : shared.competing) {
      line.competing.push_back({names[pair.first], names[pair.second], pair.pairs, pair.possible});
    }
    if (const auto at = seen.find(line.place); at != seen.end()) line.seen = *at->second;
    report.shared_places.push_back(std::move(line));
  }
}

void add_invariants(const Check& check, CheckReport& report) {
  report.sums = list_rows(check.places, tagged_sums(check.sums), check.sums.stopped);
  report.sum_basis_size = check.sums.basis_size;
  std::vector<TaggedRow> cycles;
  for (const SparseRow& cycle : check.cycles.cycles) cycles.push_back({"", cycle});
  report.cycles = list_rows(check.transitions, cycles, check.cycles.stopped);
}

void add_bounds(const Check& check, const std::vector<std::optional<Tokens>>& bounds,
                CheckReport& report) {
  std::map<Tokens, PlaceSet> by_bound;
  PlaceSet unbounded;
  for (std::uint32_t p = 0; p < bounds.size(); ++p) {
    (bounds[p] ? by_bound[*bounds[p]] : unbounded).push_back(PlaceId{p});
  }
  for (const auto& [bound, places] : by_bound) {
    report.bounds.emplace(bound, check.places.describe(places));
  }
  report.unbounded = check.places.describe(unbounded);
}

void add_sets(const Check& check, const SiphonLimits& limits, CheckReport& report) {
  const SiphonProof proof(check.net, check.sums);
  report.siphons =
      list_sets(check.places, minimal_siphons(check.net, limits), [&](const PlaceSet& siphon) {
        return siphon_tag(proof.state_of(siphon), siphon, report.runs);
      });
  report.traps = list_sets(check.places, minimal_traps(check.net, limits),
                           [&](const PlaceSet& trap) { return trap_tag(check.net, trap); });
}

void add_enabling(const Check& check, CheckReport& report) {
  std::vector<TaggedRow> never;
  for (std::uint32_t t = 0; t < check.net.transition_count(); ++t) {
    const std::string& reason = check.enabling.never_enabled(TransitionId{t});
    if (!reason.empty()) never.push_back({reason, {{t, 1}}});
  }
  report.never_enabled = check.transitions.families(never);
  report.enabled_at_end = transitions_where(check.net, check.transitions, [&](TransitionId t) {
    return report.runs.enabled_at_end[t.value] != 0;
  });
  report.never_fired = transitions_where(check.net, check.transitions, [&](TransitionId t) {
    return !report.runs.fired[t.value] && check.enabling.never_enabled(t).empty();
  });
}

void add_endless(const Check& check, const std::vector<std::optional<Tokens>>& bounds,
                 CheckReport& report) {
  const std::vector<TransitionId> endless =
      endless_transitions(check.net, check.enabling, check.cycles, bounds);
  std::vector<TransitionId> loops;
  for (const TransitionId t : self_sustaining_transitions(check.net)) {
    if (std::binary_search(endless.begin(), endless.end(), t)) loops.push_back(t);
  }
  report.endless = check.transitions.describe(endless);
  report.self_sustaining = check.transitions.describe(loops);
}

}  // namespace

CheckReport check_net(const Net& net, const CheckOptions& options) {
  const Check check(net, options);
  const std::vector<std::optional<Tokens>> bounds = place_bounds(net, check.sums);
  CheckReport report;
  report.net = net.name();
  report.shape = shape_of(net, check.graph);
  report.goal = check.places.describe(net.goal());
  report.goal_ranges = goal_texts(net.with_goal({{}, net.goal_ranges()}));
  report.runs = watch_runs(net, options.runs);
  report.residue = residue_of(net, report.runs);
  add_conflicts(check, options.pairs, report);
  add_invariants(check, report);
  add_bounds(check, bounds, report);
  add_sets(check, options.siphons, report);
  add_enabling(check, report);
  add_endless(check, bounds, report);
  add_findings({net, check.enabling, check.places, check.transitions}, report);
  return report;
}

}  // namespace pnsim
