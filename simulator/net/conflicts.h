// Structural conflicts: which transitions share an input place, and which of those can compete for
// it.
#pragma once

#include <vector>

#include "simulator/net/enabling.h"
#include "simulator/net/graph_view.h"
#include "simulator/net/groups.h"

namespace pnsim {

// At least two transitions that are linked by shared input places.
struct ConflictCluster {
  std::vector<TransitionId> transitions;  // in index order
  std::vector<PlaceId> places;            // each is an input of at least two of them
};

// Ordered by their first transitions.
std::vector<ConflictCluster> conflict_clusters(const Net& net, const NetGraph& graph);

// Two template transitions whose instances share instances of one input place.
struct CompetingPair {
  std::uint32_t first, second;  // transition groups, first <= second
  std::size_t pairs = 0;        // pairs of instances that share an instance of the place
  std::size_t possible = 0;     // pairs that are not proved never to be enabled together
};

struct SharedPlace {
  std::uint32_t place_group;
  std::size_t instances = 0;             // instances shared by at least two transitions
  std::vector<std::uint32_t> takers;     // transition groups, in order
  std::vector<CompetingPair> competing;  // by (first, second); incomplete when not examined
  // False: there are too many pairs to examine or to list. Any two takers may compete.
  bool examined = true;
};

// Bounds the work. The number of pairs of a hub place grows with the square of its arcs.
struct PairLimits {
  std::size_t max_pairs = 1'000'000;  // examined per place
  // Entries examined for all places: 10^8 take about a second.
  std::uint64_t max_work = 100'000'000;
  std::size_t max_rows = 10'000;  // number of CompetingPairs of all places together
};

// Places that are inputs of at least two transitions, by template place. A place beyond a limit is
// not examined: its pairs are counted as possible, and listed if there is room.
std::vector<SharedPlace> shared_places(const Net& net, const NetGraph& graph,
                                       const EnablingProof& proof, const PairLimits& limits = {});

}  // namespace pnsim
