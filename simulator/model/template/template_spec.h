// What a net template says: a net whose rows are repeated over scopes (warps, blocks ...) and whose
// numbers are expressions over parameters. Data only; instantiate.h turns it into a Net.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/model/template/expression.h"

namespace pnsim {

// Instances of the scope "warp" in one net, at most.
inline constexpr std::int64_t kMaxWarps = 65'536;

struct ParameterSpec {
  std::string name;
  std::int64_t default_value = 0;
  std::int64_t min = 0;
  std::int64_t max = 0;
  std::string unit;  // "warps", "steps", ...
  std::string meaning;
  std::string source;  // where the default comes from
  std::string scope;   // "" one value; "warp": one value an instance of that scope
  std::string device;  // key of the device profile that gives the default, or ""
};

// A set of instances 0 ... count - 1 inside each instance of the parent scope.
struct ScopeSpec {
  std::string name;
  int parent = -1;  // position in NetTemplate::scopes; scope 0 is "sm", which has one instance
  Expression count;
};

struct PlaceSpec {
  std::string name;
  int scope = 0;
  Expression tokens;
  std::string meaning;
  std::string where;  // "FILE: /json/pointer", for errors
};

// An arc to a place of the transition's own scope or of one around it; or, with `index`, to that
// instance of a place (the outer indices are the transition's own).
struct ArcSpec {
  int place = 0;  // position in NetTemplate::places
  std::optional<Expression> index;
  Expression weight;  // an arc whose weight comes out 0 is dropped
  std::string where;
};

struct TransitionSpec {
  std::string name;
  int scope = 0;
  std::vector<ArcSpec> takes;
  std::vector<ArcSpec> gives;
  // A place of an inner scope without index means all its instances (t0 of wpnm).
  std::vector<ArcSpec> inhibited_by;
  std::string meaning;
};

// What a warp is doing: this, while one of the places is marked and no earlier state holds.
struct WarpStateSpec {
  std::string name;                 // "arithmetic"
  std::vector<std::string> places;  // of the scope of the states
};

// For pictures of a run (warp_states.h). No states: the template names none.
struct WarpStatesSpec {
  int scope = 0;  // of all the places, not "sm"
  std::vector<WarpStateSpec> states;
  std::string alive;                         // a warp whose place is empty is idle; "" always alive
  std::vector<std::string> holds_scheduler;  // one of them is marked while the warp holds one
};

// Units, the instances of a scope, share out the steps of a run over states (net/unit_states.h). A
// place speaks of the unit that it stands in, else of all units in the innermost scope around both.
struct StateSpec {
  std::string name;
  std::vector<int> places;         // positions in NetTemplate::places: it holds while one is marked
  std::vector<int> while_places;   // and, when there are such, one of these as well
  std::vector<int> takes;          // or from when one of these loses a token ...
  Expression steps;                // ... for so many steps
  Expression when;                 // 0: the instance of `places` or `takes` does not count
  std::optional<Expression> unit;  // speaks of that unit instead
  bool stalls = true;              // of warps: a scheduler may be kept waiting by it
  std::string detail;              // what tells more of it (analysis/reasons.h), or ""
  std::string where;
};

struct UnitSpec {
  std::string name;
  int scope = 0;
  std::vector<StateSpec> states;  // of those that hold the first one counts
  std::string rest;               // when none does
};

// Where the steps go. No schedulers: the template says nothing of it.
struct ReasonsSpec {
  std::optional<UnitSpec> schedulers;
  std::string shared_out;       // the state of schedulers that is shared out over those of warps
  UnitSpec warps;               // the rest: not there
  std::vector<UnitSpec> units;  // of one state, "busy"
};

struct NetTemplate {
  std::string name;
  std::string description;
  std::string file;
  std::vector<ParameterSpec> parameters;
  std::vector<ScopeSpec> scopes;  // [0] is "sm"
  std::vector<PlaceSpec> places;
  std::vector<TransitionSpec> transitions;
  std::vector<std::string> until;    // "p1=0": every instance of p1
  std::vector<std::string> waiting;  // transitions whose firings are the waiting steps
  bool step_is_cycle = false;        // one step is one cycle of the SM: "step": "cycle"
  std::string scheduler_pool;        // the place of the idle schedulers, or ""
  WarpStatesSpec warp_states;
  ReasonsSpec reasons;

  const ParameterSpec* find_parameter(std::string_view name) const;
  std::vector<std::string> parameter_names() const;
};

}  // namespace pnsim
