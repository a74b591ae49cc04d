// `pnsim check`: what the structure of a net and a few runs tell about it, as findings for a reader
// and as JSON. docs/check.md explains every part.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simulator/analysis/check/check_runs.h"
#include "simulator/analysis/check/families.h"
#include "simulator/net/structure.h"

namespace pnsim {

// kOk: the check passed. kNote: worth knowing. kWarning: most likely a mistake in the net.
enum class Severity { kOk, kNote, kWarning };
std::string severity_name(Severity severity);  // "ok", "note", "warning"

struct Finding {
  Severity severity;
  std::string topic;  // one word: "goal", "enabling", "conflicts" ...
  std::string text;
};

// A place from which several transitions consume tokens, grouped by template node.
struct SharedPlaceLine {
  std::string place;
  std::size_t instances = 0;
  std::vector<std::string> takers;
  struct Pair {
    std::string first, second;
    std::size_t pairs = 0;
    std::size_t possible = 0;  // pairs not proved to be mutually exclusive
  };
  std::vector<Pair> competing;
  bool examined = true;  // false: there are too many pairs to examine or to list
  ConflictCount seen;    // conflicts that occurred in the runs
};

// The result of a search for siphons, traps or invariants.
struct FamilyList {
  std::vector<Family> families;
  std::size_t found = 0;  // number of results over all families
  std::string stopped;    // why the search is incomplete; "" when it is complete
};

struct CheckReport {
  std::string net;
  NetShape shape;
  std::vector<GroupTerm> goal;           // places that the goal requires to be empty
  std::vector<std::string> goal_ranges;  // its other conditions, such as "p>=3"
  std::vector<Family> clusters;          // transitions of each conflict cluster
  std::vector<SharedPlaceLine> shared_places;
  FamilyList sums;                            // tag "= 12" (constant) or "<= 1" (can only fall)
  std::optional<std::size_t> sum_basis_size;  // when the minimal sums were not computed
  std::map<Tokens, std::vector<GroupTerm>> bounds;  // places by the bound that is proved
  std::vector<GroupTerm> unbounded;                 // places without a proved bound
  FamilyList cycles;                                // T-invariants
  FamilyList siphons;              // tag: never marked, always marked, emptied in a run, may empty
  FamilyList traps;                // tag: marked, unmarked
  std::vector<GroupTerm> endless;  // can fire infinitely often
  std::vector<GroupTerm> self_sustaining;  // of those, the ones that give back all they take
  std::vector<Family> never_enabled;       // tag: the reason
  WatchedRuns runs;
  std::vector<GroupTerm> enabled_at_end;
  std::vector<GroupTerm> never_fired;  // in the runs, though nothing forbids it
  std::vector<Residue> residue;
  std::vector<Finding> findings;  // warnings first, then notes, then what is fine

  bool has_warnings() const;
};

// The report for the terminal; at most 100 columns wide when node names are short.
std::string text_of(const CheckReport& report);

Json to_json(const CheckReport& report);

}  // namespace pnsim
