// Colours of the nodes of a net by the look of their surroundings: copies of one node get one
// colour.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/net/net.h"

namespace pnsim {

struct NodeColors {
  std::vector<std::uint64_t> places;       // [place]
  std::vector<std::uint64_t> transitions;  // [transition]
};

// Refined until no more nodes can be told apart by the colours and weights of their neighbours.
// Nodes of different colour are different in structure; nodes of one colour need not be copies.
// Nothing as soon as more than `most_single` places have a colour of their own: there are lanes
// enough for nobody who wants that few places outside of them.
std::optional<NodeColors> node_colors(const Net& net, std::size_t most_single);

}  // namespace pnsim
