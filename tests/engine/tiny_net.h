// Nets of a few nodes, written as a table, for tests that are computed by hand.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "simulator/net/net_builder.h"

namespace pnsim::test {

using TinyArcs = std::vector<std::pair<std::string, Tokens>>;  // (place, weight)

struct TinyTransition {
  std::string name;
  TinyArcs takes = {};
  TinyArcs gives = {};
  std::vector<std::string> inhibitors = {};
};

struct TinyNet {
  TinyArcs places;  // (name, initial tokens)
  std::vector<TinyTransition> transitions;
  std::vector<std::string> goal = {};
  std::vector<std::string> waiting = {};  // transitions
  std::string pool = {};                  // place of the idle schedulers
};

inline Net build(const TinyNet& tiny) {
  NetBuilder builder("tiny");
  const auto place = [&](const std::string& name) { return builder.find_place(name).value(); };
  for (const auto& [name, tokens] : tiny.places) builder.add_place(name, tokens);
  Observables observables;
  for (const TinyTransition& row : tiny.transitions) {
    const TransitionId t = builder.add_transition(row.name);
    for (const auto& [name, weight] : row.takes) builder.add_input(t, place(name), weight);
    for (const auto& [name, weight] : row.gives) builder.add_output(t, place(name), weight);
    for (const std::string& name : row.inhibitors) builder.add_inhibitor(t, place(name));
    for (const std::string& name : tiny.waiting) {
      if (name == row.name) observables.waiting.push_back(t);
    }
  }
  std::vector<PlaceId> goal;
  for (const std::string& name : tiny.goal) goal.push_back(place(name));
  builder.set_goal(goal);
  if (!tiny.pool.empty()) observables.scheduler_pool = place(tiny.pool);
  builder.set_observables(observables);
  return builder.build();
}

template <class Range>
std::vector<std::string> names_of(const Net& net, const Range& transitions) {
  std::vector<std::string> names;
  for (const TransitionId t : transitions) names.push_back(net.name_of(t));
  return names;
}

}  // namespace pnsim::test
