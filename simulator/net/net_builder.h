// Builds a Net piece by piece and checks every piece.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "simulator/net/net.h"

namespace pnsim {

// Add places, transitions and arcs, then call build() once. Errors 3 (fail_input) name the net.
// They report empty or repeated names, tokens or weights out of range, too many nodes, and a weight
// sum beyond kMaxTokens.
class NetBuilder {
 public:
  explicit NetBuilder(std::string net_name, std::size_t most_nodes = kMaxNodes);

  PlaceId add_place(const std::string& name, Tokens initial_tokens = 0);
  TransitionId add_transition(const std::string& name);

  // Adds a row of instances, named as in NodeNames::add_instances, and returns the first one. No
  // other node may have one of these names.
  PlaceId add_places(const std::string& name, const std::vector<std::uint32_t>& numbers,
                     std::span<const Tokens> initial_tokens);
  TransitionId add_transitions(const std::string& name, const std::vector<std::uint32_t>& numbers);

  void add_input(TransitionId t, PlaceId p, Tokens weight = 1) {
    check_weight(weight);
    inputs_.push_back({t, p, weight});
  }
  void add_output(TransitionId t, PlaceId p, Tokens weight = 1) {
    check_weight(weight);
    outputs_.push_back({t, p, weight});
  }
  void add_inhibitor(TransitionId t, PlaceId p) { inhibitors_.push_back({t, p, 1}); }

  // Reserves memory for at most this many arcs.
  void reserve_arcs(std::size_t inputs, std::size_t outputs);

  // Makes build() remove dead transitions. A transition is dead when it has an input place that is
  // initially empty and gets tokens only from dead transitions. The remaining transitions are
  // renumbered. Transitions whose firings are counted stay.
  void leave_out_dead() { leaves_out_dead_ = true; }

  // In any order: a net keeps them in that of its places, each once. No place may be in both.
  void set_goal(std::vector<PlaceId> empty, std::vector<TokenRange> ranges = {});
  void set_observables(Observables observables) { observables_ = std::move(observables); }

  std::optional<PlaceId> find_place(const std::string& name) const;

  // The place that errors of this net name: "FILE" or "net NAME".
  void set_origin(std::string origin) { origin_ = std::move(origin); }

  Net build();

 private:
  struct OwnArc {
    TransitionId transition;
    PlaceId place;
    Tokens weight;  // 1 for an inhibitor
    bool operator<(const OwnArc& other) const {
      return transition != other.transition ? transition < other.transition : place < other.place;
    }
  };
  using Index = std::unordered_map<std::string, std::uint32_t>;

  void check_size(std::size_t nodes) const;
  void check_name(const std::string& name, const char* what) const;
  void check_tokens(const std::string& name, Tokens tokens) const;
  void check_weight(Tokens weight) const {
    if (weight < 1 || weight > kMaxTokens) fail_weight(weight);
  }
  [[noreturn]] void fail_weight(Tokens weight) const;
  std::vector<char> live_transitions() const;
  void drop_dead();
  std::vector<std::uint32_t> merge(std::vector<OwnArc>& arcs, std::vector<Arc>& all) const;

  std::string net_name_;
  std::string origin_;
  std::size_t most_nodes_;
  NodeNames place_names_, transition_names_;
  Index place_index_, transition_index_;  // kInstances for a row of instances
  Marking initial_;
  std::vector<OwnArc> inputs_, outputs_, inhibitors_;
  Goal goal_;
  Observables observables_;
  bool leaves_out_dead_ = false;
};

}  // namespace pnsim
