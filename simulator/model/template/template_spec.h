// A net template: a net whose rows are repeated over scopes (warps, blocks ...), with expressions
// over parameters as numbers. It holds data only; instantiate.h builds the Net.
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
  std::string source;  // source of the default value
  std::string scope;   // "": one value; "warp": one value per instance of that scope
  std::string device;  // key of the device profile that gives the default, or ""
};

// A set of instances 0 ... count - 1 in each instance of the parent scope.
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

// An arc to a place of the transition's own scope or of an enclosing scope. With `index` it goes to
// that instance of a place; the outer indices are those of the transition.
struct ArcSpec {
  int place = 0;  // position in NetTemplate::places
  std::optional<Expression> index;
  Expression weight;  // an arc whose weight is 0 is omitted
  std::string where;
};

struct TransitionSpec {
  std::string name;
  int scope = 0;
  std::vector<ArcSpec> takes;
  std::vector<ArcSpec> gives;
  // A place of an inner scope without an index stands for all its instances (t0 of wpnm).
  std::vector<ArcSpec> inhibited_by;
  std::string meaning;
};

// A state of a warp. It holds while one of the places is marked and no earlier state holds.
struct WarpStateSpec {
  std::string name;                 // "arithmetic"
  std::vector<std::string> places;  // in the scope of the states
};

// The states for pictures of a run (warp_states.h). No states: the template names none.
struct WarpStatesSpec {
  int scope = 0;  // scope of all the places, not "sm"
  std::vector<WarpStateSpec> states;
  // A warp is idle when this place is empty; "": it is always alive.
  std::string alive;
  // One of them is marked while the warp holds a scheduler.
  std::vector<std::string> holds_scheduler;
};

// Attributes the steps of a run to states of units, the instances of a scope (net/unit_states.h). A
// place refers to its own unit, or else to all units in the innermost scope that encloses both.
struct StateSpec {
  std::string name;
  // Positions in NetTemplate::places: the state holds while one is marked.
  std::vector<int> places;
  std::vector<int> while_places;   // if there are any: one of these must be marked as well
  std::vector<int> takes;          // the state also holds when one of these loses a token ...
  Expression steps;                // ... for this many steps
  Expression when;                 // 0: this instance of `places` or `takes` is ignored
  std::optional<Expression> unit;  // the place refers to that unit instead
  bool stalls = true;              // for warps: the state can stall a scheduler
  std::string detail;              // the source of more detail (analysis/reasons.h), or ""
  std::string where;
};

struct UnitSpec {
  std::string name;
  int scope = 0;
  std::vector<StateSpec> states;  // the first state that holds counts
  std::string rest;               // the state when none holds
};

// Attribution of steps. No schedulers: the template has none.
struct ReasonsSpec {
  std::optional<UnitSpec> schedulers;
  std::string shared_out;       // the state of schedulers that is divided among the states of warps
  UnitSpec warps;               // the default state: the warp does not exist
  std::vector<UnitSpec> units;  // units with one state, "busy"
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
