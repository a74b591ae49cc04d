// Finds the replicated parts of a net. Lanes (such as the warps of a processor) are equal parts
// that are connected only through a few shared nodes. The search uses structure only, not names.
#pragma once

#include <optional>
#include <vector>

#include "simulator/engine/node_colors.h"
#include "simulator/net/net.h"

namespace pnsim {

// Lanes correspond node by node: position k of each lane is the same node of the replicated part,
// with the same arcs to the lane's own nodes and to the shared nodes. Positions follow the index
// order of the net in every lane, and lanes follow the same order at every position.
struct LaneSplit {
  std::vector<std::vector<PlaceId>> places;            // [lane][position]
  std::vector<std::vector<TransitionId>> transitions;  // [lane][position]
  std::vector<PlaceId> shared_places;                  // in index order
  std::vector<TransitionId> shared_transitions;        // in index order; they belong to no lane

  std::size_t lanes() const { return places.size(); }
};

// Returns nothing when the net, whose colours are given, does not have at least two such parts.
// Initial tokens may differ between lanes.
std::optional<LaneSplit> find_lanes(const Net& net, const NodeColors& colors);

}  // namespace pnsim
