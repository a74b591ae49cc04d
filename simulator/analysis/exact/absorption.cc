#include "simulator/analysis/exact/absorption.h"

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/property_map/property_map.hpp>
#include <utility>

namespace pnsim {
namespace {

using CsrGraph = boost::compressed_sparse_row_graph<boost::directedS>;

CsrGraph boost_view(const MarkingGraph& graph) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  edges.reserve(graph.edges.size());
  for (std::uint32_t m = 0; m < graph.size(); ++m) {
    for (const ChainEdge& edge : graph.edges_of(m)) edges.emplace_back(m, edge.target);
  }
  return {boost::edges_are_sorted, edges.begin(), edges.end(), graph.size()};
}

}  // namespace

// Boost's strong_components is Tarjan's algorithm on a depth-first search with its own stack, so a
// long chain does not overflow the call stack. A component is numbered when the search leaves it,
// after every component that it leads to.
ChainComponents::ChainComponents(const MarkingGraph& graph) : of_(graph.size()) {
  const CsrGraph view = boost_view(graph);
  const auto component_map =
      boost::make_iterator_property_map(of_.begin(), boost::get(boost::vertex_index, view));
  const std::uint32_t count = boost::strong_components(view, component_map);

  start_.assign(count + 1, 0);
  for (const std::uint32_t c : of_) ++start_[c + 1];
  for (std::uint32_t c = 0; c < count; ++c) start_[c + 1] += start_[c];
  markings_.resize(graph.size());
  std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
  for (std::uint32_t m = 0; m < graph.size(); ++m) markings_[next[of_[m]]++] = m;

  can_end_.assign(count, 0);
  for (std::uint32_t c = 0; c < count; ++c) {
    for (const std::uint32_t m : markings(c)) {
      if (graph.end[m] != End::kNone) can_end_[c] = 1;
      for (const ChainEdge& edge : graph.edges_of(m)) can_end_[c] |= can_end_[of_[edge.target]];
    }
  }
}

bool ChainComponents::all_can_end() const {
  return std::all_of(can_end_.begin(), can_end_.end(), [](char can) { return can != 0; });
}

std::size_t ChainComponents::largest() const {
  std::size_t size = 0;
  for (std::uint32_t c = 0; c < count(); ++c) size = std::max(size, markings(c).size());
  return size;
}

}  // namespace pnsim
