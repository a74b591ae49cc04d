// A place/transition net with weighted arcs, inhibitor arcs, an initial marking and a goal.
// Immutable once built (net_builder.h); engines and analyses only read it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/net/ids.h"
#include "simulator/net/node_names.h"

namespace pnsim {

using Tokens = std::int64_t;  // 0 ... kMaxTokens

// Maximum of one place, and of one arc weight.
inline constexpr Tokens kMaxTokens = Tokens{1} << 62;
inline constexpr std::size_t kMaxNodes = 2'000'000;  // places and transitions together
// Limit for the expansion of a template. In a large template most transitions can never be enabled;
// the builder removes them.
inline constexpr std::size_t kMaxExpandedNodes = 16'000'000;

// marking[p] = tokens of place p; the length is the number of places.
using Marking = std::vector<Tokens>;

struct Arc {
  PlaceId place;
  Tokens weight;  // 1 ... kMaxTokens
  bool operator==(const Arc&) const = default;
};

// Bounds on the tokens of one place, both included.
struct TokenRange {
  PlaceId place;
  Tokens min = 0, max = kMaxTokens;
  bool operator==(const TokenRange&) const = default;
};

// A condition on the marking: each place of `empty` holds no token, and each place of `ranges` as
// many as its range allows. No condition at all: there is no goal.
struct Goal {
  std::vector<PlaceId> empty;      // in the order of the places
  std::vector<TokenRange> ranges;  // the same; one per place, and never a place of `empty`
};

// Additional numbers that a net asks a run to count, besides steps and firings. A template names
// them.
struct Observables {
  // waiting_steps = firings of these transitions (for wpnm: t0). Empty: the net declares none.
  std::vector<TransitionId> waiting;
  // idle_scheduler_steps: the sum over all executed steps of M(pool), minus what the fired
  // transitions other than `waiting` remove from it. Nothing: the net declares none.
  std::optional<PlaceId> scheduler_pool;
  bool operator==(const Observables&) const = default;
};

class Net {
 public:
  const std::string& name() const { return name_; }
  std::size_t place_count() const { return place_names_.size(); }
  std::size_t transition_count() const { return transition_names_.size(); }

  std::string name_of(PlaceId p) const { return place_names_.name(p.value); }
  std::string name_of(TransitionId t) const { return transition_names_.name(t.value); }
  // group_of() of the name. The view is valid as long as the net.
  std::string_view group_of(PlaceId p) const { return place_names_.group(p.value); }
  std::string_view group_of(TransitionId t) const { return transition_names_.group(t.value); }

  std::vector<NodeNames::Group> place_groups() const { return place_names_.groups(); }
  std::vector<NodeNames::Group> transition_groups() const { return transition_names_.groups(); }

  // Arcs of one transition, ordered by place, one per place (parallel arcs are added up).
  std::span<const Arc> inputs(TransitionId t) const { return slice(inputs_, input_start_, t); }
  std::span<const Arc> outputs(TransitionId t) const { return slice(outputs_, output_start_, t); }
  std::span<const PlaceId> inhibitors(TransitionId t) const {
    return slice(inhibitors_, inhibitor_start_, t);
  }

  const Marking& initial_marking() const { return initial_; }

  // The places that the goal requires to be empty, and those of which it requires other numbers.
  const std::vector<PlaceId>& goal() const { return goal_.empty; }
  const std::vector<TokenRange>& goal_ranges() const { return goal_.ranges; }
  bool has_goal() const { return !goal_.empty.empty() || !goal_.ranges.empty(); }
  // False for a net without a goal.
  bool goal_holds(const Marking& marking) const;

  const Observables& observables() const { return observables_; }

  // Look-up by exact name; nothing when there is no such node.
  std::optional<PlaceId> find_place(std::string_view name) const;
  std::optional<TransitionId> find_transition(std::string_view name) const;

  // Returns the same net with another goal.
  Net with_goal(Goal goal) const;

 private:
  friend class NetBuilder;
  Net() = default;

  template <class T>
  static std::span<const T> slice(const std::vector<T>& all,
                                  const std::vector<std::uint32_t>& start, TransitionId t) {
    return {all.data() + start[t.value], all.data() + start[t.value + 1]};
  }

  std::string name_;
  NodeNames place_names_, transition_names_;
  // Arcs of transition t are [start[t], start[t + 1]) of the flat lists.
  std::vector<Arc> inputs_, outputs_;
  std::vector<PlaceId> inhibitors_;
  std::vector<std::uint32_t> input_start_, output_start_, inhibitor_start_;
  Marking initial_;
  Goal goal_;
  Observables observables_;
};

// Whether t gives back exactly what it takes, so that it changes no marking.
bool changes_nothing(const Net& net, TransitionId t);

// The places that a goal or query names: "p1.0" is that place, "p1" is every instance of p1 (an
// exact name takes precedence). Error 2 with the nearest name when there is none.
std::vector<PlaceId> places_named(const Net& net, std::string_view name);

// One condition of a goal as text: "p1=0", "p1>=3", "p1<=2", "p1>0", "p1<4".
struct GoalCondition {
  std::string place;  // a name for places_named(), perhaps with blanks around it
  Tokens min = 0, max = kMaxTokens;
};

// Error 2 for any other text, and for a condition that always or never holds.
GoalCondition parse_condition(const std::string& text);

// The conditions (all must hold) as a goal. Error 2 for any other text, for an unknown place, and
// for conditions that exclude each other.
Goal goal_of(const Net& net, std::span<const GoalCondition> conditions);
Goal parse_goal(const Net& net, std::span<const std::string> conditions);

// The goal of the net as such texts.
std::vector<std::string> goal_texts(const Net& net);

}  // namespace pnsim
