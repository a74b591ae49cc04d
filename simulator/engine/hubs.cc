#include "simulator/engine/hubs.h"

#include <algorithm>
#include <utility>

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
      const bool never =
          !is_filled[arc.place.value] && net.initial_marking()[arc.place.value] < arc.weight;
      const bool at_odds =
          std::find(inhibitors.begin(), inhibitors.end(), arc.place) != inhibitors.end();
      if (never || at_odds) is_dead[t] = true;
    }
  }
  return is_dead;
}

// Properties that all takers of a place share.
struct Takers {
  std::uint32_t count = 0;
  Tokens weight = 0;
  bool may_be_clients = true;
  std::uint32_t hub = Hubs::kNone;
};

// Finds implied places among the places with at least two takers.
class ImpliedPlaces {
 public:
  ImpliedPlaces(const Net& net, const std::vector<char>& is_dead, const std::vector<Takers>& takers)
      : net_(net), may_be_(net.place_count()) {
    for (std::size_t p = 0; p < takers.size(); ++p) may_be_[p] = takers[p].count > 1;
    for_all_but(is_dead, [&](TransitionId t) { rule_out(t, takers); });
    if (std::find(may_be_.begin(), may_be_.end(), char{true}) == may_be_.end()) return;
    matters_ = may_be_;
    own_taker_.resize(net.place_count());
    more_.resize(net.place_count());
    for_all_but(is_dead, [&](TransitionId t) { find_own(t, takers); });
    for (std::uint32_t p = 0; p < net.place_count(); ++p)
      count(PlaceId{p}, net.initial_marking()[p], 1);
    settle();
    for_all_but(is_dead, [&](TransitionId t) {
      for (const Arc& arc : net.inputs(t)) count(arc.place, arc.weight, -1);
      for (const Arc& arc : net.outputs(t)) count(arc.place, arc.weight, 1);
      settle();
    });
  }

  std::vector<char> found() && { return std::move(may_be_); }

 private:
  template <class Visit>
  void for_all_but(const std::vector<char>& is_dead, Visit&& visit) {
    for (std::uint32_t t = 0; t < net_.transition_count(); ++t) {
      if (!is_dead[t]) visit(TransitionId{t});
    }
  }
  // The first of a transition's own places represents the transition.
  const Arc* own_of(TransitionId t, const std::vector<Takers>& takers) const {
    const auto inputs = net_.inputs(t);
    const auto own = std::find_if(inputs.begin(), inputs.end(), [&](const Arc& arc) {
      return takers[arc.place.value].count == 1;
    });
    return own == inputs.end() ? nullptr : &*own;
  }
  void rule_out(TransitionId t, const std::vector<Takers>& takers) {
    const auto inputs = net_.inputs(t);
    const Arc* own = own_of(t, takers);
    for (const Arc& arc : inputs) {
      if (!own || own->weight != arc.weight) may_be_[arc.place.value] = false;
    }
  }
  void find_own(TransitionId t, const std::vector<Takers>& takers) {
    const auto inputs = net_.inputs(t);
    if (std::none_of(inputs.begin(), inputs.end(),
                     [&](const Arc& arc) { return may_be_[arc.place.value]; }))
      return;
    const PlaceId own = own_of(t, takers)->place;
    own_taker_[own.value] = t;
    matters_[own.value] = true;
  }

  // Counts a change of `tokens` in a place. In the own place of one of its takers the sign is
  // reversed.
  void count(PlaceId p, Tokens tokens, int sign) {
    if (!matters_[p.value] || tokens == 0) return;
    if (may_be_[p.value]) return add(p, tokens, sign);
    for (const Arc& arc : net_.inputs(own_taker_[p.value])) {
      if (may_be_[arc.place.value]) add(arc.place, tokens, -sign);
    }
  }
  void add(PlaceId p, Tokens tokens, int sign) {
    constexpr Tokens kMaxCounted = Tokens{1} << 32;  // so small that no sum overflows
    if (tokens > kMaxCounted) rule_out(p);
    more_[p.value] += sign * std::min(tokens, kMaxCounted);
    touched_.push_back(p);
  }
  void rule_out(PlaceId p) { may_be_[p.value] = matters_[p.value] = false; }
  void settle() {
    for (const PlaceId p : touched_) {
      if (std::exchange(more_[p.value], 0) != 0) rule_out(p);
    }
    touched_.clear();
  }

  const Net& net_;
  std::vector<char> may_be_;  // [place]
  // [place] it may be implied, or is the own place of a taker of such a place
  std::vector<char> matters_;
  std::vector<TransitionId> own_taker_;  // [place] for own places that matter
  std::vector<Tokens> more_;             // [place] surplus over the own places of its takers
  std::vector<PlaceId> touched_;
};

// Groups the clients by their inhibitor places; `hub_of`: [transition] position in hubs, or kNone.
void find_groups(const Net& net, const std::vector<std::uint32_t>& hub_of, Hubs& hubs) {
  std::vector<std::uint32_t> last(hubs.hubs.size(), Hubs::kNone);  // [hub] its most recent group
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    if (hub_of[t] == Hubs::kNone) continue;
    const auto gates = net.inhibitors(TransitionId{t});
    std::uint32_t& group = last[hub_of[t]];
    const auto same_gates = [&](const std::vector<PlaceId>& other) {
      return std::equal(gates.begin(), gates.end(), other.begin(), other.end());
    };
    if (group == Hubs::kNone || !same_gates(hubs.groups[group].gates)) {
      group = static_cast<std::uint32_t>(hubs.groups.size());
      hubs.groups.push_back({hub_of[t], {gates.begin(), gates.end()}});
    }
    hubs.group_of[t] = group;
  }
}

// Finds the first place that inhibits all clients of a hub.
void find_gates(Hubs& hubs) {
  std::vector<std::optional<std::vector<PlaceId>>> common(hubs.hubs.size());
  for (const Hubs::Group& group : hubs.groups) {
    auto& gates = common[group.hub];
    if (!gates) gates = group.gates;
    const auto is_other = [&](PlaceId p) {
      return !std::binary_search(group.gates.begin(), group.gates.end(), p);
    };
    std::erase_if(*gates, is_other);
  }
  for (std::size_t h = 0; h < common.size(); ++h) {
    if (!common[h]->empty()) hubs.hubs[h].gate = common[h]->front();
  }
  for (Hubs::Group& group : hubs.groups) {
    if (const auto gate = hubs.hubs[group.hub].gate) std::erase(group.gates, *gate);
  }
}

}  // namespace

Hubs find_hubs(const Net& net) {
  std::vector<std::uint32_t> hub_of(net.transition_count(), Hubs::kNone);
  Hubs out{.hubs = {},
           .groups = {},
           .group_of = std::vector<std::uint32_t>(net.transition_count(), Hubs::kNone),
           .is_dead = dead_transitions(net),
           .only_taker = std::vector<std::uint32_t>(net.place_count(), Hubs::kNone),
           .is_sharing = std::vector<char>(net.transition_count()),
           .is_implied = {}};
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
  out.is_implied = ImpliedPlaces(net, out.is_dead, takers).found();
  for_all_inputs([&](std::uint32_t t, const Arc&, Takers& of_place) {
    const auto inputs = net.inputs(TransitionId{t});
    const auto shared = std::count_if(inputs.begin(), inputs.end(), [&](const Arc& arc) {
      return takers[arc.place.value].count > 1 && !out.is_implied[arc.place.value];
    });
    if (shared > 1) of_place.may_be_clients = false;
    out.is_sharing[t] = shared > 0;
  });
  for_all_inputs([&](std::uint32_t t, const Arc& arc, Takers& of_place) {
    if (of_place.count == 1) out.only_taker[arc.place.value] = t;
    if (of_place.count < 2 || !of_place.may_be_clients || out.is_implied[arc.place.value]) return;
    if (of_place.hub == Hubs::kNone) {
      of_place.hub = static_cast<std::uint32_t>(out.hubs.size());
      out.hubs.push_back({arc.place, arc.weight, {}});
    }
    hub_of[t] = of_place.hub;
  });
  find_groups(net, hub_of, out);
  find_gates(out);
  return out;
}

}  // namespace pnsim
