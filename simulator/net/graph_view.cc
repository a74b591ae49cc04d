#include "simulator/net/graph_view.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>

namespace pnsim {

NetGraph graph_of(const Net& net) {
  std::vector<VertexPair> ends;
  std::vector<GraphArc> arcs;
  const auto places = static_cast<std::uint32_t>(net.place_count());
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    const std::uint32_t vertex = places + t;
    for (const Arc& arc : net.inputs(TransitionId{t})) {
      ends.emplace_back(arc.place.value, vertex);
      arcs.push_back({ArcKind::kInput, arc.weight});
    }
    for (const PlaceId p : net.inhibitors(TransitionId{t})) {
      ends.emplace_back(p.value, vertex);
      arcs.push_back({ArcKind::kInhibitor, 1});
    }
    for (const Arc& arc : net.outputs(TransitionId{t})) {
      ends.emplace_back(vertex, arc.place.value);
      arcs.push_back({ArcKind::kOutput, arc.weight});
    }
  }
  return NetGraph(boost::edges_are_unsorted_multi_pass, ends.begin(), ends.end(), arcs.begin(),
                  net.place_count() + net.transition_count());
}

Parts connected_parts(std::size_t vertices, const std::vector<VertexPair>& edges) {
  using Undirected = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
  const Undirected graph(edges.begin(), edges.end(), vertices);
  Parts parts;
  parts.part_of.resize(vertices);
  if (vertices > 0) {
    parts.count = boost::connected_components(
        graph,
        boost::make_iterator_property_map(parts.part_of.begin(), get(boost::vertex_index, graph)));
  }
  return parts;
}

Parts connected_parts(const NetGraph& graph, std::initializer_list<ArcKind> kinds) {
  std::vector<VertexPair> kept;
  const auto [first, last] = edges(graph);
  std::for_each(first, last, [&](const auto& arc) {
    if (std::find(kinds.begin(), kinds.end(), graph[arc].kind) == kinds.end()) return;
    kept.emplace_back(source(arc, graph), target(arc, graph));
  });
  return connected_parts(num_vertices(graph), kept);
}

}  // namespace pnsim
