// Structural properties of a net: its size and class, which transitions may fire for ever, which
// places only grow, and whether the goal can hold.
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
  std::size_t arcs = 0;  // input and output arcs
  std::size_t inhibitor_arcs = 0;
  Tokens max_weight = 0;
  std::size_t parts = 0;  // connected components
  bool ordinary = true;   // all weights are 1
  // For nets without inhibitor arcs; false for all others.
  bool state_machine = false;  // ordinary, each transition has one input and one output
  bool marked_graph = false;   // ordinary, each place has one input and one output transition
  bool free_choice = false;    // ordinary, transitions that share an input have the same inputs
};

NetShape shape_of(const Net& net, const NetGraph& graph);

// Transitions that the structure does not prove to stop. The proof repeatedly removes transitions
// that are never enabled, and those that reduce a place to which no remaining transition adds. When
// all place bounds are known, it also removes those on no T-invariant. In index order; empty: every
// run ends.
std::vector<TransitionId> endless_transitions(
    const Net& net, const EnablingProof& proof, const TransitionInvariants& cycles,
    const std::vector<std::optional<Tokens>>& place_bounds);

// Transitions that return all tokens they remove and do not mark their own inhibitor places. Once
// enabled, only other transitions can disable them.
std::vector<TransitionId> self_sustaining_transitions(const Net& net);

// Places that transitions add to and none ever removes from, in index order.
PlaceSet growing_places(const Net& net);

// A marked trap inside the goal places: it is never empty, so the goal can never hold. Empty: there
// is none, which does not prove that the goal is reachable.
PlaceSet trap_in_goal(const Net& net);

bool holds_at_start(const Net& net);  // true when the goal holds at M0; false without a goal

// What is proved about the tokens of a siphon.
enum class SiphonState {
  kUnmarked,     // empty at M0, so it stays empty
  kStaysMarked,  // contains a marked trap, or the places of a constant sum that is not 0
  kMayEmpty,     // neither is proved
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
