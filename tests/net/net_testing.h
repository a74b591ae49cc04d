// Helpers for the tests of nets and net files.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "simulator/base/error.h"
#include "simulator/net/net.h"

namespace pnsim {

// The behaviour of a net without names: equal for two nets that behave the same step by step.
struct Behaviour {
  struct Transition {
    std::vector<Arc> takes, gives;
    std::vector<PlaceId> inhibitors;
    bool operator==(const Transition&) const = default;
  };
  Marking initial;
  std::vector<Transition> transitions;
  std::vector<PlaceId> goal;
  std::vector<TokenRange> goal_ranges;
  Observables observables;
  bool operator==(const Behaviour&) const = default;
};

inline Behaviour behaviour_of(const Net& net) {
  Behaviour out{net.initial_marking(), {}, net.goal(), net.goal_ranges(), net.observables()};
  for (std::uint32_t i = 0; i < net.transition_count(); ++i) {
    const TransitionId t{i};
    out.transitions.push_back({{net.inputs(t).begin(), net.inputs(t).end()},
                               {net.outputs(t).begin(), net.outputs(t).end()},
                               {net.inhibitors(t).begin(), net.inhibitors(t).end()}});
  }
  return out;
}

inline std::vector<std::string> place_names(const Net& net) {
  std::vector<std::string> names;
  for (std::uint32_t p = 0; p < net.place_count(); ++p) names.push_back(net.name_of(PlaceId{p}));
  return names;
}

inline std::vector<std::string> transition_names(const Net& net) {
  std::vector<std::string> names;
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    names.push_back(net.name_of(TransitionId{t}));
  }
  return names;
}

inline void expect_same_net(const Net& a, const Net& b) {
  EXPECT_EQ(a.name(), b.name());
  EXPECT_EQ(place_names(a), place_names(b));
  EXPECT_EQ(transition_names(a), transition_names(b));
  EXPECT_TRUE(behaviour_of(a) == behaviour_of(b));
}

// Returns "3: MESSAGE" of the Error that `act` throws, "" when it throws none.
template <class Act>
std::string error_of(Act&& act) {
  try {
    act();
  } catch (const Error& error) {
    return std::to_string(static_cast<int>(error.code())) + ": " + error.what();
  }
  return "";
}

}  // namespace pnsim
