// The yardstick of the engine benchmarks: the plainest loop over the paper's rule. Every step looks
// at all transitions, shuffles the enabled ones and fires them in that order where still possible.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "simulator/net/net.h"

namespace pnsim {

// Steps until the goal holds. Same distribution as the law, other random numbers.
inline std::uint64_t scan_all_steps(const Net& net, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Marking marking = net.initial_marking();
  Marking left;
  std::vector<TransitionId> enabled;
  const auto covered = [&](const Marking& m, TransitionId t) {
    for (const Arc& arc : net.inputs(t)) {
      if (m[arc.place.value] < arc.weight) return false;
    }
    return true;
  };
  const auto inhibited = [&](TransitionId t) {
    for (const PlaceId p : net.inhibitors(t)) {
      if (marking[p.value] != 0) return true;
    }
    return false;
  };
  const auto at_goal = [&] {
    return std::all_of(net.goal().begin(), net.goal().end(),
                       [&](PlaceId p) { return marking[p.value] == 0; });
  };
  std::uint64_t steps = 0;
  for (; !at_goal(); ++steps) {
    enabled.clear();
    for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
      if (covered(marking, TransitionId{t}) && !inhibited(TransitionId{t})) {
        enabled.push_back(TransitionId{t});
      }
    }
    if (enabled.empty()) break;
    for (std::size_t i = enabled.size(); i > 1; --i) {
      std::swap(enabled[i - 1], enabled[(random() >> 32) * i >> 32]);
    }
    left = marking;
    for (const TransitionId t : enabled) {
      if (!covered(left, t)) continue;
      for (const Arc& arc : net.inputs(t)) {
        left[arc.place.value] -= arc.weight;
        marking[arc.place.value] -= arc.weight;
      }
      for (const Arc& arc : net.outputs(t)) marking[arc.place.value] += arc.weight;
    }
  }
  return steps;
}

}  // namespace pnsim
