// Builds a Net piece by piece, checking every piece.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "simulator/net/net.h"

namespace pnsim {

// Use: add places, transitions, arcs, then build() once. Errors 3 (fail_input) name the net:
// empty or doubled names, tokens or weights out of range, too many nodes, a weight sum over
// kMaxTokens.
class NetBuilder {
 public:
  explicit NetBuilder(std::string net_name);

  PlaceId add_place(const std::string& name, Tokens initial_tokens = 0);
  TransitionId add_transition(const std::string& name);

  void add_input(TransitionId t, PlaceId p, Tokens weight = 1);
  void add_output(TransitionId t, PlaceId p, Tokens weight = 1);
  void add_inhibitor(TransitionId t, PlaceId p);

  void set_goal(std::vector<PlaceId> goal) { goal_ = std::move(goal); }
  void set_observables(Observables observables) { observables_ = std::move(observables); }

  std::optional<PlaceId> find_place(const std::string& name) const;

  // `where` for errors of this net: "FILE" or "net NAME".
  void set_origin(std::string origin) { origin_ = std::move(origin); }

  Net build();

 private:
  void check_name(const std::string& name, const char* what) const;
  void check_weight(Tokens weight) const;
  void append_merged(std::vector<Arc>& arcs, const std::string& transition,
                     std::vector<Arc>& all) const;

  std::string net_name_;
  std::string origin_;
  std::vector<std::string> place_names_, transition_names_;
  std::unordered_map<std::string, std::uint32_t> place_index_, transition_index_;
  Marking initial_;
  std::vector<std::vector<Arc>> inputs_, outputs_;         // [transition][arc]
  std::vector<std::vector<PlaceId>> inhibitors_;           // [transition][arc]
  std::vector<PlaceId> goal_;
  Observables observables_;
};

}  // namespace pnsim
