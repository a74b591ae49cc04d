// Which transitions of a net take from the same place, and which of those can compete for it.
#pragma once

#include <vector>

#include "simulator/net/enabling.h"
#include "simulator/net/graph_view.h"
#include "simulator/net/groups.h"

namespace pnsim {

// At least two transitions linked by input places they share.
struct ConflictCluster {
  std::vector<TransitionId> transitions;  // in index order
  std::vector<PlaceId> places;            // each is input of at least two of them
};

// In the order of their first transitions.
std::vector<ConflictCluster> conflict_clusters(const Net& net, const NetGraph& graph);

// Two template transitions that take from instances of one template place.
struct CompetingPair {
  std::uint32_t first, second;  // transition groups, first <= second
  std::size_t pairs = 0;        // of their instances that share an instance of the place
  std::size_t possible = 0;     // of those that can be enabled together, for all that is proved
};

struct SharedPlace {
  std::uint32_t place_group;
  std::size_t instances = 0;             // shared by at least two transitions
  std::vector<std::uint32_t> takers;     // transition groups, in order
  std::vector<CompetingPair> competing;  // by (first, second); not all when not examined
  // False: too many pairs to look at or to list. Any two takers may compete, for all that is known.
  bool examined = true;
};

// What keeps the pairs of a net with hubs, which grow with the square of its arcs, in bounds.
struct PairLimits {
  std::size_t max_pairs = 1'000'000;     // looked at for each place
  std::uint64_t max_work = 100'000'000;  // entries looked at for all: 10^8 take about a second
  std::size_t max_rows = 10'000;         // CompetingPairs of all places together
};

// Places that at least two transitions take from, by template place. A place that would go over a
// limit is not examined: its pairs are counted as possible, and listed if there is room for them.
std::vector<SharedPlace> shared_places(const Net& net, const NetGraph& graph,
                                       const EnablingProof& proof, const PairLimits& limits = {});

}  // namespace pnsim
