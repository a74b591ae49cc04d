// What the arcs of a net alone say: its size and class, what can go on for ever, what only grows,
// and whether its goal can hold.
#pragma once

#include <vector>

#include "simulator/net/enabling.h"
#include "simulator/net/graph_view.h"
#include "simulator/net/invariants.h"
#include "simulator/net/siphons.h"

namespace pnsim {

struct NetShape {
  std::size_t places = 0;
  std::size_t transitions = 0;
  std::size_t arcs = 0;  // inputs and outputs
  std::size_t inhibitor_arcs = 0;
  Tokens max_weight = 0;
  std::size_t parts = 0;  // not connected with each other by any arc
  bool ordinary = true;   // all weights are 1
  // Of nets without inhibitor arcs; false for the others.
  bool state_machine = false;  // ordinary, each transition has one input and one output
  bool marked_graph = false;   // ordinary, each place has one giver and one taker
  bool free_choice = false;    // ordinary, transitions that share an input have the same inputs
};

NetShape shape_of(const Net& net, const NetGraph& graph);

// Transitions that can fire infinitely often, for all that the structure says: left over after
// taking away, again and again, those that are never enabled and those that use up tokens of a
// place to which no transition left adds any. With all place bounds known, also those on no
// T-invariant. In index order; empty: every run ends.
std::vector<TransitionId> endless_transitions(
    const Net& net, const EnablingProof& proof, const TransitionInvariants& cycles,
    const std::vector<std::optional<Tokens>>& place_bounds);

// Transitions that give back all they take and fill no inhibitor of their own: once enabled, only
// other transitions can stop them.
std::vector<TransitionId> self_sustaining_transitions(const Net& net);

// Places that transitions add to and none ever takes from, in index order.
PlaceSet growing_places(const Net& net);

// The marked trap inside the goal places: as it is never empty, the goal can never hold. Empty:
// there is none, which does not mean that the goal can be reached.
PlaceSet trap_in_goal(const Net& net);

bool holds_at_start(const Net& net);  // the goal; false without one

// What is known about the tokens of a siphon.
enum class SiphonState {
  kUnmarked,     // empty at M0, so for ever
  kStaysMarked,  // contains a marked trap, or the places of a constant sum that is not 0
  kMayEmpty,     // neither is known
};

// The net and the invariants must outlive it.
class SiphonProof {
 public:
  SiphonProof(const Net& net, const PlaceInvariants& invariants)
      : net_(net), invariants_(invariants), traps_(net) {}
  SiphonState state_of(const PlaceSet& siphon) const;

 private:
  const Net& net_;
  const PlaceInvariants& invariants_;
  TrapFinder traps_;
};

}  // namespace pnsim
