// The paper's law of a step by brute force: every order of the enabled transitions is tried, each
// as likely as the others. It shares no code with the law of simulator/engine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "simulator/analysis/exact/rational.h"
#include "simulator/net/net.h"

namespace pnsim::test {

using StepProbabilities = std::map<std::vector<TransitionId>, Rational>;  // by what fires, sorted

inline bool is_covered(const Net& net, TransitionId t, const Marking& left) {
  for (const Arc& arc : net.inputs(t)) {
    if (left[arc.place.value] < arc.weight) return false;
  }
  return true;
}

inline std::vector<TransitionId> enabled_transitions(const Net& net, const Marking& marking) {
  std::vector<TransitionId> enabled;
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    bool inhibited = false;
    for (const PlaceId p : net.inhibitors(TransitionId{t})) inhibited |= marking[p.value] > 0;
    if (!inhibited && is_covered(net, TransitionId{t}, marking)) enabled.push_back(TransitionId{t});
  }
  return enabled;
}

// What fires when the transitions are tried in `order`, sorted.
inline std::vector<TransitionId> fired_in_order(const Net& net,
                                                const std::vector<TransitionId>& order,
                                                Marking left) {
  std::vector<TransitionId> fired;
  for (const TransitionId t : order) {
    if (!is_covered(net, t, left)) continue;
    fired.push_back(t);
    for (const Arc& arc : net.inputs(t)) left[arc.place.value] -= arc.weight;
  }
  std::sort(fired.begin(), fired.end());
  return fired;
}

// Costs |E|! tries.
inline StepProbabilities permutation_steps(const Net& net, const Marking& marking) {
  std::vector<TransitionId> order = enabled_transitions(net, marking);
  std::map<std::vector<TransitionId>, std::uint64_t> count;
  std::uint64_t orders = 0;
  do {
    ++count[fired_in_order(net, order, marking)];
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  StepProbabilities out;
  for (const auto& [fired, times] : count) out[fired] = Rational(times, orders);
  return out;
}

}  // namespace pnsim::test
