// A net as a Boost.Graph digraph: places and transitions are vertices, arcs are edges.
#pragma once

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "simulator/net/net.h"

namespace pnsim {

enum class ArcKind : std::uint8_t { kInput, kOutput, kInhibitor };

struct GraphArc {
  ArcKind kind = ArcKind::kInput;
  Tokens weight = 1;  // 1 for an inhibitor arc
};

// Vertex p is place p; vertex place_count + t is transition t. Input and inhibitor arcs go from
// place to transition, output arcs from transition to place. The type models Boost's
// BidirectionalGraph, so the algorithms of Boost accept it directly.
using NetGraph =
    boost::compressed_sparse_row_graph<boost::bidirectionalS, boost::no_property, GraphArc>;

NetGraph graph_of(const Net& net);

// Connected components, numbered from 0 in the order of their first vertex.
struct Parts {
  std::vector<std::uint32_t> part_of;  // [vertex]
  std::size_t count = 0;
};

using VertexPair = std::pair<std::uint32_t, std::uint32_t>;
Parts connected_parts(std::size_t vertices, const std::vector<VertexPair>& edges);

// Weakly connected components of a net over its arcs of these kinds.
Parts connected_parts(const NetGraph& graph, std::initializer_list<ArcKind> kinds);

}  // namespace pnsim
