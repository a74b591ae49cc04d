// Colour refinement of a net: copies of one node get the same colour.
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

// Refines until the colours and weights of neighbours distinguish no further nodes. Nodes of
// different colours differ in structure; nodes of one colour are not necessarily copies. Returns
// nothing as soon as more than `most_single` places have a unique colour. Such a net has more
// places outside of lanes than the caller accepts.
std::optional<NodeColors> node_colors(const Net& net, std::size_t most_single);

}  // namespace pnsim
