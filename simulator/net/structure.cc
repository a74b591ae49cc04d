#include "simulator/net/structure.h"

#include <algorithm>

namespace pnsim {
namespace {

using Count = std::vector<std::size_t>;

struct ArcCounts {
  Count producers, takers;  // [place] input transitions, output transitions
};

ArcCounts count_arcs(const Net& net) {
  ArcCounts counts{Count(net.place_count()), Count(net.place_count())};
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    for (const Arc& arc : net.outputs(TransitionId{t})) ++counts.producers[arc.place.value];
    for (const Arc& arc : net.inputs(TransitionId{t})) ++counts.takers[arc.place.value];
  }
  return counts;
}

bool is_state_machine(const Net& net) {
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    if (net.inputs(TransitionId{t}).size() != 1) return false;
    if (net.outputs(TransitionId{t}).size() != 1) return false;
  }
  return true;
}

bool is_marked_graph(const Net& net) {
  const ArcCounts counts = count_arcs(net);
  const auto is_one = [](std::size_t n) { return n == 1; };
  return std::all_of(counts.producers.begin(), counts.producers.end(), is_one) &&
         std::all_of(counts.takers.begin(), counts.takers.end(), is_one);
}

bool same_places(std::span<const Arc> a, std::span<const Arc> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Arc& x, const Arc& y) { return x.place == y.place; });
}

// Transitions with equal inputs share the first taker of all of them. So each transition is
// compared once, and not once per input.
bool is_free_choice(const Net& net) {
  std::vector<std::optional<TransitionId>> first_taker(net.place_count());
  for (std::uint32_t i = 0; i < net.transition_count(); ++i) {
    const TransitionId t{i};
    const auto inputs = net.inputs(t);
    if (inputs.empty()) continue;
    for (const Arc& arc : inputs) {
      auto& first = first_taker[arc.place.value];
      if (!first) first = t;
      if (*first != *first_taker[inputs.front().place.value]) return false;
    }
    const TransitionId first = *first_taker[inputs.front().place.value];
    if (first != t && !same_places(net.inputs(first), inputs)) return false;
  }
  return true;
}

// Removes transitions from the endless set, and then all transitions that depend on them.
class EndlessSet {
 public:
  explicit EndlessSet(const Net& net)
      : in_(net.transition_count(), true),
        producers_(net.place_count()),
        users_(net.place_count()) {
    for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
      effects_.push_back(effect_of(net, TransitionId{t}));
      for (const IndexWeight& e : effects_[t]) {
        if (e.weight > 0) ++producers_[e.index];
        if (e.weight < 0) users_[e.index].push_back(t);
      }
    }
    for (std::size_t p = 0; p < producers_.size(); ++p) {
      if (producers_[p] == 0) remove_users(p);
    }
    follow();
  }

  void remove(std::uint32_t t) {
    take_out(t);
    follow();
  }

  std::vector<TransitionId> members() const {
    std::vector<TransitionId> out;
    for (std::uint32_t t = 0; t < in_.size(); ++t) {
      if (in_[t]) out.push_back(TransitionId{t});
    }
    return out;
  }

 private:
  void take_out(std::uint32_t t) {
    if (!in_[t]) return;
    in_[t] = false;
    to_do_.push_back(t);
  }

  // When no remaining transition adds to a place, the transitions that use it up are removed.
  void follow() {
    while (!to_do_.empty()) {
      const std::uint32_t t = to_do_.back();
      to_do_.pop_back();
      for (const IndexWeight& e : effects_[t]) {
        if (e.weight > 0 && --producers_[e.index] == 0) remove_users(e.index);
      }
    }
  }

  void remove_users(std::size_t p) {
    for (const std::uint32_t t : users_[p]) take_out(t);
  }

  std::vector<char> in_;                           // [transition]
  std::vector<SparseRow> effects_;                 // [transition]
  Count producers_;                                // [place] endless transitions that add to it
  std::vector<std::vector<std::uint32_t>> users_;  // [place] transitions that reduce its tokens
  std::vector<std::uint32_t> to_do_;               // removed, consequences not yet followed
};

// Places that t adds to and that inhibit t. After t fires, it is disabled until they are empty.
PlaceSet own_inhibitors_filled(const Net& net, TransitionId t) {
  const auto inhibitors = net.inhibitors(t);
  PlaceSet out;
  for (const IndexWeight& e : effect_of(net, t)) {
    const PlaceId p{e.index};
    const bool inhibits = std::binary_search(inhibitors.begin(), inhibitors.end(), p);
    if (e.weight > 0 && inhibits) out.push_back(p);
  }
  return out;
}

bool is_marked(const Net& net, const PlaceSet& places) {
  return std::any_of(places.begin(), places.end(),
                     [&](PlaceId p) { return net.initial_marking()[p.value] > 0; });
}

}  // namespace

NetShape shape_of(const Net& net, const NetGraph& graph) {
  NetShape shape;
  shape.places = net.place_count();
  shape.transitions = net.transition_count();
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    const TransitionId id{t};
    shape.arcs += net.inputs(id).size() + net.outputs(id).size();
    shape.inhibitor_arcs += net.inhibitors(id).size();
    for (const Arc& arc : net.inputs(id)) shape.max_weight = std::max(shape.max_weight, arc.weight);
    for (const Arc& arc : net.outputs(id))
      shape.max_weight = std::max(shape.max_weight, arc.weight);
  }
  shape.parts =
      connected_parts(graph, {ArcKind::kInput, ArcKind::kOutput, ArcKind::kInhibitor}).count;
  shape.ordinary = shape.max_weight <= 1;
  if (!shape.ordinary || shape.inhibitor_arcs > 0) return shape;
  shape.state_machine = is_state_machine(net);
  shape.marked_graph = is_marked_graph(net);
  shape.free_choice = is_free_choice(net);
  return shape;
}

std::vector<TransitionId> endless_transitions(
    const Net& net, const EnablingProof& proof, const TransitionInvariants& cycles,
    const std::vector<std::optional<Tokens>>& place_bounds) {
  const bool is_bounded = std::all_of(place_bounds.begin(), place_bounds.end(),
                                      [](const auto& bound) { return bound.has_value(); });
  std::vector<char> on_cycle(net.transition_count());
  for (const SparseRow& cycle : cycles.cycles) {
    for (const IndexWeight& e : cycle) on_cycle[e.index] = true;
  }
  EndlessSet endless(net);
  const ArcCounts counts = count_arcs(net);
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    const bool leaves_cycles = is_bounded && cycles.stopped.empty() && !on_cycle[t];
    const PlaceSet own = own_inhibitors_filled(net, TransitionId{t});
    const bool stops_itself = std::any_of(own.begin(), own.end(), [&](PlaceId p) {
      return counts.takers[p.value] == 0;  // no transition empties the place again
    });
    const bool never = !proof.never_enabled(TransitionId{t}).empty();
    if (leaves_cycles || stops_itself || never) endless.remove(t);
  }
  return endless.members();
}

std::vector<TransitionId> self_sustaining_transitions(const Net& net) {
  std::vector<TransitionId> out;
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    const SparseRow effect = effect_of(net, TransitionId{t});
    if (!own_inhibitors_filled(net, TransitionId{t}).empty()) continue;
    if (std::all_of(effect.begin(), effect.end(), [](const auto& e) { return e.weight > 0; })) {
      out.push_back(TransitionId{t});
    }
  }
  return out;
}

PlaceSet growing_places(const Net& net) {
  const ArcCounts counts = count_arcs(net);
  PlaceSet out;
  for (std::uint32_t p = 0; p < net.place_count(); ++p) {
    if (counts.producers[p] > 0 && counts.takers[p] == 0) out.push_back(PlaceId{p});
  }
  return out;
}

PlaceSet trap_in_goal(const Net& net) {
  if (!net.has_goal()) return {};
  PlaceSet goal = net.goal();
  std::sort(goal.begin(), goal.end());
  PlaceSet trap = largest_trap_within(net, goal);
  return is_marked(net, trap) ? trap : PlaceSet{};
}

bool holds_at_start(const Net& net) { return net.goal_holds(net.initial_marking()); }

SiphonState SiphonProof::state_of(const PlaceSet& siphon) const {
  if (!is_marked(net_, siphon)) return SiphonState::kUnmarked;
  if (is_marked(net_, traps_.largest_within(siphon))) return SiphonState::kStaysMarked;
  const bool holds_sum =
      std::any_of(invariants_.sums.begin(), invariants_.sums.end(), [&](const PlaceSum& sum) {
        if (!sum.constant || sum.initial.value_or(1) == 0) return false;
        return std::all_of(sum.terms.begin(), sum.terms.end(), [&](const IndexWeight& e) {
          return std::binary_search(siphon.begin(), siphon.end(), PlaceId{e.index});
        });
      });
  return holds_sum ? SiphonState::kStaysMarked : SiphonState::kMayEmpty;
}

}  // namespace pnsim
