#include "simulator/analysis/check/check_findings.h"

#include <algorithm>
#include <set>

#include "simulator/base/table.h"

namespace pnsim {
namespace {

constexpr std::size_t kMaxNames = 8;      // names in one sentence
constexpr std::size_t kMaxFindings = 20;  // findings of one kind

std::string count_text(std::uint64_t n) { return grouped(static_cast<long long>(n)); }

std::string names_text(const std::vector<GroupTerm>& terms) {
  return text_of(terms, ", ", kMaxNames);
}

// Formats "a, b, c"; after kMaxNames names "... (7 more)".
class NameList {
 public:
  void add(const std::string& name) {
    if (++count_ <= kMaxNames) text_ += (count_ > 1 ? ", " : "") + name;
  }
  bool empty() const { return count_ == 0; }
  std::string text() const {
    const bool all = count_ <= kMaxNames;
    return all ? text_ : text_ + " ... (" + std::to_string(count_ - kMaxNames) + " more)";
  }

 private:
  std::size_t count_ = 0;
  std::string text_;
};

std::string names_text(const std::set<std::string>& names) {
  NameList list;
  for (const std::string& name : names) list.add(name);
  return list.text();
}

// Collects the findings about one net.
class Findings {
 public:
  Findings(const Evidence& evidence, CheckReport& report)
      : net_(evidence.net), evidence_(evidence), report_(report) {}

  void collect() {
    goal();
    end();
    runs();
    residue();
    enabling();
    races();
    conflicts();
    bounds();
    sets();
    unfinished();
    shape();
    std::stable_sort(report_.findings.begin(), report_.findings.end(),
                     [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  }

 private:
  void ok(const char* topic, std::string text) { add(Severity::kOk, topic, std::move(text)); }
  void note(const char* topic, std::string text) { add(Severity::kNote, topic, std::move(text)); }
  void warn(const char* topic, std::string text) {
    add(Severity::kWarning, topic, std::move(text));
  }
  void add(Severity severity, const char* topic, std::string text) {
    report_.findings.push_back({severity, topic, std::move(text)});
  }

  void goal();
  void end();
  void runs();
  void residue();
  void enabling();
  void races();
  void race_at(const SharedPlaceLine& line, const std::set<std::string>& guarded);
  void conflicts();
  void bounds();
  void sets();
  void unfinished();
  void shape();

  const Net& net_;
  const Evidence& evidence_;
  CheckReport& report_;
};

void Findings::goal() {
  if (const PlaceSet trap = trap_in_goal(net_); !trap.empty()) {
    warn("goal", "can never hold: " + names_text(evidence_.places.describe(trap)) +
                     (trap.size() == 1 ? " is" : " are together") + " never empty");
  }
  if (holds_at_start(net_)) warn("goal", "holds at the initial marking: every run has 0 steps");
}

void Findings::end() {
  if (report_.endless.empty()) {
    ok("end", "every run ends: no transition can fire for ever");
    return;
  }
  std::string text = names_text(report_.endless) + " can fire for ever";
  if (!report_.self_sustaining.empty()) {
    const bool all = report_.self_sustaining == report_.endless;
    text += " (" + (all ? "" : names_text(report_.self_sustaining) + ": ") +
            "returns all tokens it consumes, so only other transitions can stop it)";
  }
  const WatchedRuns& runs = report_.runs;
  if (net_.has_goal() && runs.with_outcome(Outcome::kGoal) > 0 && !report_.enabled_at_end.empty()) {
    note("end", text + ". Only the goal ends a run: when it holds, " +
                    names_text(report_.enabled_at_end) + " can still fire");
  } else if (!net_.has_goal() && runs.with_outcome(Outcome::kLimit) > 0) {
    warn("end", text + ". There is no goal: nothing but the step limit ends a run");
  } else {
    note("end", text);
  }
}

void Findings::runs() {
  const WatchedRuns& runs = report_.runs;
  if (!runs.error.empty()) warn("runs", "a run stopped with an error: " + runs.error);
  const std::string of_all = " of " + std::to_string(runs.runs.size()) + " runs ";
  const std::size_t dead = runs.with_outcome(Outcome::kDead);
  const std::size_t repeating = runs.repeating();
  const std::size_t cut = runs.with_outcome(Outcome::kLimit) - repeating;
  if (net_.has_goal() && dead > 0) {
    warn("runs", std::to_string(dead) + of_all + "ended dead before the goal held");
  }
  if (repeating > 0) {
    warn("runs", std::to_string(repeating) + of_all + "reached a step that changes nothing, by " +
                     names_text(report_.enabled_at_end) + ", and would repeat it forever");
  }
  if (cut > 0) {
    note("runs", std::to_string(cut) + of_all + "did not end within the watched steps");
  }
  if (!report_.never_fired.empty() && runs.ended() > 0) {
    note("runs", "never fired in the runs, though it is not proved that they cannot: " +
                     names_text(report_.never_fired));
  }
}

void Findings::residue() {
  if (report_.runs.ended() == 0) return;
  NameList left;
  for (const Residue& residue : report_.residue) {
    if (residue.is_left_behind) left.add(tokens_text(residue.mean_tokens) + " in " + residue.place);
  }
  if (left.empty()) {
    ok("residue", "nothing is left behind: no input place ends with more tokens than at M0");
  } else {
    warn("residue",
         "left behind at the end in input places of transitions (mean tokens): " + left.text());
  }
}

void Findings::enabling() {
  std::vector<TaggedRow> contradictions;
  std::vector<TransitionId> unreached;
  for (std::uint32_t t = 0; t < net_.transition_count(); ++t) {
    const std::string& reason = evidence_.enabling.never_enabled(TransitionId{t});
    if (reason.empty()) continue;
    if (evidence_.enabling.contradicts_itself(TransitionId{t})) {
      contradictions.push_back({reason, {{t, 1}}});
    } else {
      unreached.push_back(TransitionId{t});
    }
  }
  const std::vector<Family> families = evidence_.transitions.families(contradictions);
  for (std::size_t f = 0; f < families.size() && f < kMaxFindings; ++f) {
    const Family& family = families[f];
    const std::string times = family.count > 1 ? "[" + std::to_string(family.count) + "]" : "";
    warn("enabling", text_of(family.terms, ", ") + times + " is never enabled: it " + family.tag);
  }
  if (families.size() > kMaxFindings) {
    warn("enabling", count_text(families.size() - kMaxFindings) +
                         " more kinds of transitions are never enabled (--json has them)");
  }
  if (!unreached.empty()) {
    note("enabling", "never enabled, because an input place never gets a token: " +
                         names_text(evidence_.transitions.describe(unreached)));
  }
  if (contradictions.empty() && unreached.empty()) {
    ok("enabling", "no transition is proved to be never enabled");
  }
}

// Inhibitor arcs express that a transition must wait. If it still conflicts with others, it can
// consume their tokens too early: in the paper's net, a warp can end with an instruction pending.
void Findings::races() {
  std::set<std::string> guarded;
  for (std::uint32_t t = 0; t < net_.transition_count(); ++t) {
    const TransitionId id{t};
    if (!net_.inhibitors(id).empty()) guarded.insert(std::string(net_.group_of(id)));
  }
  for (const SharedPlaceLine& line : report_.shared_places) race_at(line, guarded);
}

void Findings::race_at(const SharedPlaceLine& line, const std::set<std::string>& guarded) {
  // With unexamined pairs only, this would report every two transitions that share the place.
  if (!line.examined && line.competing.empty()) return;
  std::map<std::string, std::set<std::string>> rivals;  // of transitions with inhibitors
  for (const SharedPlaceLine::Pair& pair : line.competing) {
    if (pair.possible == 0 || pair.first == pair.second) continue;
    if (guarded.contains(pair.first)) rivals[pair.first].insert(pair.second);
    if (guarded.contains(pair.second)) rivals[pair.second].insert(pair.first);
  }
  for (const auto& [name, others] : rivals) {
    const std::string both = name + " has inhibitors and still competes with " +
                             names_text(others) + " for " + line.place;
    const bool seen = line.seen.transitions.contains(name) && line.seen.transitions.size() > 1;
    if (!seen) {
      note("race", both + ", according to the structure; it did not occur in the runs");
      continue;
    }
    const std::uint64_t won = line.seen.won.at(name);
    warn("race", both + ": of " + count_text(line.seen.times) + " contests for " + line.place +
                     " in the runs " + name + " won " + count_text(won));
  }
}

void Findings::conflicts() {
  NameList competing, unexamined;
  for (const SharedPlaceLine& line : report_.shared_places) {
    const bool possible =
        !line.examined || std::any_of(line.competing.begin(), line.competing.end(),
                                      [](const auto& pair) { return pair.possible > 0; });
    if (possible) competing.add(line.place);
    if (!line.examined) unexamined.add(line.place);
  }
  if (!unexamined.empty()) {
    note("conflicts", "too many pairs to examine at " + unexamined.text());
  }
  if (competing.empty()) {
    ok("conflicts", "no two transitions can conflict: all runs are the same");
  } else {
    ok("conflicts", "transitions can conflict only over " + competing.text());
  }
}

void Findings::bounds() {
  if (report_.unbounded.empty()) {
    ok("bounds",
       "every place is bounded; the largest bound is " +
           (report_.bounds.empty()
                ? "0"
                : count_text(static_cast<std::uint64_t>(report_.bounds.rbegin()->first))));
  } else {
    note("bounds", "no bound is proved for " + names_text(report_.unbounded));
  }
  const PlaceSet growing = growing_places(net_);
  if (growing.empty()) return;
  note("bounds", "no transition consumes from " + names_text(evidence_.places.describe(growing)) +
                     ": tokens accumulate there");
}

void Findings::sets() {
  PlaceSet unmarked;
  for (std::uint32_t p = 0; p < net_.place_count(); ++p) {
    if (net_.initial_marking()[p] == 0) unmarked.push_back(PlaceId{p});
  }
  const PlaceSet dry = largest_siphon_within(net_, unmarked);
  if (dry.empty()) {
    ok("siphons", "no siphon is unmarked: tokens can come to every place, arc by arc");
  } else {
    note("siphons",
         "an unmarked siphon, so never a token in " + names_text(evidence_.places.describe(dry)));
  }
}

void Findings::unfinished() {
  const auto tell = [&](const char* topic, const std::string& what, const std::string& stopped) {
    if (!stopped.empty()) note(topic, what + " are not all computed: " + stopped);
  };
  std::string basis;
  if (report_.sum_basis_size) {
    basis = "; a basis has " + count_text(*report_.sum_basis_size) + ", listed are its members " +
            "without negative weights";
  }
  tell("invariants", "minimal place sums",
       report_.sums.stopped.empty() ? "" : report_.sums.stopped + basis);
  tell("invariants", "minimal cycles", report_.cycles.stopped);
  const auto found = [](const FamilyList& list) {
    return list.stopped.empty() ? "" : "the search stopped " + list.stopped;
  };
  tell("siphons", "minimal siphons", found(report_.siphons));
  tell("siphons", "minimal traps", found(report_.traps));
}

void Findings::shape() {
  if (report_.shape.parts < 2) return;
  note("shape", "the net falls into " + count_text(report_.shape.parts) +
                    " parts without an arc between them");
}

}  // namespace

void add_findings(const Evidence& evidence, CheckReport& report) {
  Findings(evidence, report).collect();
}

}  // namespace pnsim
