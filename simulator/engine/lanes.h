// What is replicated in a net: equal parts ("lanes", such as the warps of a processor) that touch
// each other only through a few shared nodes. Found by structure; names play no role.
#pragma once

#include <optional>
#include <vector>

#include "simulator/engine/node_colors.h"
#include "simulator/net/net.h"

namespace pnsim {

// Lanes match node by node: position k of each is the same node of the replicated part, with the
// same arcs to the lane's own nodes and to the shared ones. Positions follow the indices of the
// net within every lane, and lanes follow each other the same way at every position.
struct LaneSplit {
  std::vector<std::vector<PlaceId>> places;            // [lane][position]
  std::vector<std::vector<TransitionId>> transitions;  // [lane][position]
  std::vector<PlaceId> shared_places;                  // in index order
  std::vector<TransitionId> shared_transitions;        // in index order; they belong to no lane

  std::size_t lanes() const { return places.size(); }
};

// Nothing when the net, whose colours these are, has no two such parts. Initial tokens may differ
// from lane to lane.
std::optional<LaneSplit> find_lanes(const Net& net, const NodeColors& colors);

}  // namespace pnsim
