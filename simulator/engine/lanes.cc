#include "simulator/engine/lanes.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace pnsim {
namespace {

constexpr std::uint32_t kShared = ~std::uint32_t{0};

// Number of nodes that share each node's colour: [place], then [transition].
std::vector<std::uint32_t> copies_of_nodes(const NodeColors& colors) {
  std::vector<std::uint32_t> out;
  for (const auto* list : {&colors.places, &colors.transitions}) {
    std::vector<std::uint64_t> sorted = *list;
    std::sort(sorted.begin(), sorted.end());
    for (const std::uint64_t color : *list) {
      const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), color);
      out.push_back(static_cast<std::uint32_t>(last - first));
    }
  }
  return out;
}

// The connected components of the net without the shared nodes.
class Parts {
 public:
  Parts(const Net& net, const std::vector<std::uint32_t>& copies, std::uint32_t lanes)
      : net_(net), parent_(copies.size()) {
    std::iota(parent_.begin(), parent_.end(), 0u);
    is_local_.resize(copies.size());
    for (std::size_t i = 0; i < copies.size(); ++i) is_local_[i] = copies[i] >= lanes;
    for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
      const TransitionId id{t};
      for (const Arc& arc : net.inputs(id)) join(t, arc.place);
      for (const Arc& arc : net.outputs(id)) join(t, arc.place);
      for (const PlaceId p : net.inhibitors(id)) join(t, p);
    }
  }

  // Positions follow the order of the net's indices; lanes follow the order of their first node.
  LaneSplit split() {
    LaneSplit out;
    std::vector<std::uint32_t> lane_of(parent_.size(), kShared);
    const auto lane = [&](std::uint32_t node) {
      std::uint32_t& number = lane_of[root(node)];
      if (number == kShared) {
        number = static_cast<std::uint32_t>(out.places.size());
        out.places.emplace_back();
        out.transitions.emplace_back();
      }
      return number;
    };
    for (std::uint32_t p = 0; p < net_.place_count(); ++p) {
      if (is_local_[p])
        out.places[lane(p)].push_back(PlaceId{p});
      else
        out.shared_places.push_back(PlaceId{p});
    }
    for (std::uint32_t t = 0; t < net_.transition_count(); ++t) {
      const auto node = static_cast<std::uint32_t>(net_.place_count()) + t;
      if (is_local_[node])
        out.transitions[lane(node)].push_back(TransitionId{t});
      else
        out.shared_transitions.push_back(TransitionId{t});
    }
    return out;
  }

 private:
  std::uint32_t root(std::uint32_t node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }
  void join(std::uint32_t t, PlaceId p) {
    const auto node = static_cast<std::uint32_t>(net_.place_count()) + t;
    if (!is_local_[node] || !is_local_[p.value]) return;
    const std::uint32_t a = root(node), b = root(p.value);
    parent_[std::max(a, b)] = std::min(a, b);
  }

  const Net& net_;
  std::vector<std::uint32_t> parent_;  // [place], then [transition]
  std::vector<char> is_local_;
};

// An arc as seen from its lane: the place is a position in the lane, or an index when shared.
struct LocalArc {
  bool shared;
  std::uint32_t place;
  Tokens weight;
  auto operator<=>(const LocalArc&) const = default;
};

class Matcher {
 public:
  Matcher(const Net& net, const LaneSplit& split)
      : net_(net), split_(split), position_(net.place_count(), kShared) {
    for (const auto& lane : split.places) {
      for (std::uint32_t k = 0; k < lane.size(); ++k) position_[lane[k].value] = k;
    }
  }

  bool all_match() const {
    for (std::size_t lane = 1; lane < split_.lanes(); ++lane) {
      if (!follows(lane)) return false;
      for (std::size_t k = 0; k < split_.transitions[0].size(); ++k) {
        if (!same_arcs(split_.transitions[0][k], split_.transitions[lane][k])) return false;
      }
    }
    return true;
  }

 private:
  // True when the lane has as many nodes as the lane before, each with a higher index.
  bool follows(std::size_t lane) const {
    const auto rises = [&](const auto& lists) {
      return lists[lane].size() == lists[lane - 1].size() &&
             std::equal(lists[lane].begin(), lists[lane].end(), lists[lane - 1].begin(),
                        [](auto now, auto before) { return before < now; });
    };
    return rises(split_.places) && rises(split_.transitions);
  }

  LocalArc local(PlaceId p, Tokens weight) const {
    const bool shared = position_[p.value] == kShared;
    return {shared, shared ? p.value : position_[p.value], weight};
  }

  std::vector<LocalArc> arcs(TransitionId t, int list) const {
    std::vector<LocalArc> out;
    if (list == 0)
      for (const Arc& arc : net_.inputs(t)) out.push_back(local(arc.place, arc.weight));
    if (list == 1)
      for (const Arc& arc : net_.outputs(t)) out.push_back(local(arc.place, arc.weight));
    if (list == 2)
      for (const PlaceId p : net_.inhibitors(t)) out.push_back(local(p, 1));
    std::sort(out.begin(), out.end());
    return out;
  }

  bool same_arcs(TransitionId a, TransitionId b) const {
    return arcs(a, 0) == arcs(b, 0) && arcs(a, 1) == arcs(b, 1) && arcs(a, 2) == arcs(b, 2);
  }

  const Net& net_;
  const LaneSplit& split_;
  std::vector<std::uint32_t> position_;  // [place] in its lane, kShared outside of lanes
};

}  // namespace

std::optional<LaneSplit> find_lanes(const Net& net, const NodeColors& colors) {
  const std::vector<std::uint32_t> copies = copies_of_nodes(colors);
  std::map<std::uint32_t, std::uint32_t> nodes_with;  // number of copies -> number of nodes
  for (const std::uint32_t count : copies) ++nodes_with[count];
  nodes_with.erase(1);
  // Nodes with fewer copies than there are lanes are shared by the lanes. The most frequent number
  // of copies is the best estimate of the number of lanes.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> guesses;
  for (const auto& [count, nodes] : nodes_with) guesses.push_back({nodes, count});
  std::sort(guesses.rbegin(), guesses.rend());
  if (guesses.size() > 8) guesses.resize(8);
  for (const auto& [nodes, lanes] : guesses) {
    LaneSplit split = Parts(net, copies, lanes).split();
    if (split.lanes() < 2 || split.places[0].empty() || split.transitions[0].empty()) continue;
    if (Matcher(net, split).all_match()) return split;
  }
  return std::nullopt;
}

}  // namespace pnsim
