#include "simulator/engine/hubs.h"

#include <algorithm>

namespace pnsim {
namespace {

std::vector<char> dead_transitions(const Net& net) {
  std::vector<char> is_filled(net.place_count()), is_dead(net.transition_count());
  const auto count = static_cast<std::uint32_t>(net.transition_count());
  for (std::uint32_t t = 0; t < count; ++t) {
    for (const Arc& arc : net.outputs(TransitionId{t})) is_filled[arc.place.value] = true;
  }
  for (std::uint32_t t = 0; t < count; ++t) {
    const auto inhibitors = net.inhibitors(TransitionId{t});
    for (const Arc& arc : net.inputs(TransitionId{t})) {
      const bool never = !is_filled[arc.place.value] &&
                         net.initial_marking()[arc.place.value] < arc.weight;
      const bool at_odds =
          std::find(inhibitors.begin(), inhibitors.end(), arc.place) != inhibitors.end();
      if (never || at_odds) is_dead[t] = true;
    }
  }
  return is_dead;
}

// What those who take from a place have in common.
struct Takers {
  std::uint32_t count = 0;
  Tokens weight = 0;
  bool may_be_clients = true;
  std::uint32_t hub = Hubs::kNone;
};

}  // namespace

Hubs find_hubs(const Net& net) {
  Hubs out{{}, std::vector<std::uint32_t>(net.transition_count(), Hubs::kNone),
           dead_transitions(net), std::vector<std::uint32_t>(net.place_count(), Hubs::kNone),
           std::vector<char>(net.transition_count())};
  std::vector<Takers> takers(net.place_count());
  const auto for_all_inputs = [&](auto&& visit) {
    for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
      if (out.is_dead[t]) continue;
      for (const Arc& arc : net.inputs(TransitionId{t})) visit(t, arc, takers[arc.place.value]);
    }
  };
  for_all_inputs([](std::uint32_t, const Arc& arc, Takers& of_place) {
    if (of_place.count++ == 0) of_place.weight = arc.weight;
    if (of_place.weight != arc.weight) of_place.may_be_clients = false;
  });
  for_all_inputs([&](std::uint32_t t, const Arc&, Takers& of_place) {
    const auto inputs = net.inputs(TransitionId{t});
    const auto shared = std::count_if(inputs.begin(), inputs.end(), [&](const Arc& arc) {
      return takers[arc.place.value].count > 1;
    });
    if (shared > 1) of_place.may_be_clients = false;
    out.is_sharing[t] = shared > 0;
  });
  for_all_inputs([&](std::uint32_t t, const Arc& arc, Takers& of_place) {
    if (of_place.count == 1) out.only_taker[arc.place.value] = t;
    if (of_place.count < 2 || !of_place.may_be_clients) return;
    if (of_place.hub == Hubs::kNone) {
      of_place.hub = static_cast<std::uint32_t>(out.hubs.size());
      out.hubs.push_back({arc.place, arc.weight});
    }
    out.hub_of[t] = of_place.hub;
  });
  return out;
}

}  // namespace pnsim
