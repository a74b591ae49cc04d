#include "simulator/net/conflicts.h"

#include <algorithm>
#include <map>

namespace pnsim {
namespace {

// Transitions with an input arc from p, in index order.
std::vector<TransitionId> takers_of(const NetGraph& graph, const Net& net, std::uint32_t p) {
  std::vector<TransitionId> takers;
  const auto [first, last] = out_edges(std::size_t{p}, graph);
  std::for_each(first, last, [&](const auto& arc) {
    if (graph[arc].kind != ArcKind::kInput) return;
    const auto vertex = static_cast<std::uint32_t>(target(arc, graph));
    takers.push_back(TransitionId{vertex - static_cast<std::uint32_t>(net.place_count())});
  });
  std::sort(takers.begin(), takers.end());
  return takers;
}

using Groups = std::vector<std::uint32_t>;
using PairCounts = std::map<std::pair<std::uint32_t, std::uint32_t>, CompetingPair>;

struct SharedPlaceCount {
  SharedPlace place;
  PairCounts pairs;
};

void count_pairs(const std::vector<TransitionId>& takers, const Groups& group_of,
                 const EnablingProof& proof, PairCounts& counts) {
  for (std::size_t i = 0; i < takers.size(); ++i) {
    for (std::size_t j = i + 1; j < takers.size(); ++j) {
      const auto [low, high] = std::minmax(group_of[takers[i].value], group_of[takers[j].value]);
      CompetingPair& pair = counts[{low, high}];
      pair.first = low;
      pair.second = high;
      ++pair.pairs;
      if (!proof.never_together(takers[i], takers[j])) ++pair.possible;
    }
  }
}

using GroupSizes = std::map<std::uint32_t, std::size_t>;

// Sets the same numbers without examining each pair.
void count_all_as_possible(const GroupSizes& sizes, PairCounts& counts) {
  for (auto a = sizes.begin(); a != sizes.end(); ++a) {
    for (auto b = a; b != sizes.end(); ++b) {
      const std::size_t pairs = a == b ? a->second * (a->second - 1) / 2 : a->second * b->second;
      if (pairs == 0) continue;
      CompetingPair& pair = counts[{a->first, b->first}];
      pair.first = a->first;
      pair.second = b->first;
      pair.pairs += pairs;
      pair.possible += pairs;
    }
  }
}

// Counts the pairs of one place after the other while the limits of the whole search allow it.
class PairCounter {
 public:
  PairCounter(const Groups& group_of, const EnablingProof& proof, const PairLimits& limits)
      : group_of_(group_of), proof_(proof), limits_(limits) {}

  void count(const std::vector<TransitionId>& takers, SharedPlaceCount& at) {
    GroupSizes sizes;
    for (const TransitionId t : takers) ++sizes[group_of_[t.value]];
    // An upper bound of new pairs. There are at most 2^21 groups, so nothing overflows.
    const std::size_t rows = sizes.size() * (sizes.size() + 1) / 2;
    const bool fits = rows <= limits_.max_rows - rows_;
    const std::size_t before = at.pairs.size();
    if (fits && may_examine(takers)) {
      work_ += cost_of(takers);
      count_pairs(takers, group_of_, proof_, at.pairs);
    } else {
      at.place.examined = false;
      if (fits) count_all_as_possible(sizes, at.pairs);
    }
    rows_ += at.pairs.size() - before;
  }

 private:
  // Each taker is compared once with every other.
  std::uint64_t cost_of(const std::vector<TransitionId>& takers) const {
    std::uint64_t cost = 0;
    for (const TransitionId t : takers) cost += proof_.cost_of(t);
    return cost * (takers.size() - 1);
  }

  // The pair count is checked first: it bounds the cost, so the cost cannot overflow.
  bool may_examine(const std::vector<TransitionId>& takers) const {
    return takers.size() * (takers.size() - 1) / 2 <= limits_.max_pairs &&
           cost_of(takers) <= limits_.max_work - work_;
  }

  const Groups& group_of_;
  const EnablingProof& proof_;
  PairLimits limits_;
  std::uint64_t work_ = 0;
  std::size_t rows_ = 0;
};

}  // namespace

std::vector<ConflictCluster> conflict_clusters(const Net& net, const NetGraph& graph) {
  const Parts parts = connected_parts(graph, {ArcKind::kInput});
  std::vector<ConflictCluster> all(parts.count);
  for (std::uint32_t p = 0; p < net.place_count(); ++p) {
    if (takers_of(graph, net, p).size() > 1) all[parts.part_of[p]].places.push_back(PlaceId{p});
  }
  std::vector<ConflictCluster> out;
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    all[parts.part_of[net.place_count() + t]].transitions.push_back(TransitionId{t});
  }
  for (ConflictCluster& cluster : all) {
    if (cluster.transitions.size() > 1) out.push_back(std::move(cluster));
  }
  std::sort(out.begin(), out.end(), [](const ConflictCluster& a, const ConflictCluster& b) {
    return a.transitions.front() < b.transitions.front();
  });
  return out;
}

std::vector<SharedPlace> shared_places(const Net& net, const NetGraph& graph,
                                       const EnablingProof& proof, const PairLimits& limits) {
  const NodeGroups by_place = place_groups(net);
  const NodeGroups by_transition = transition_groups(net);
  PairCounter counter(by_transition.group_of, proof, limits);
  std::map<std::uint32_t, SharedPlaceCount> counts;
  for (std::uint32_t p = 0; p < net.place_count(); ++p) {
    const std::vector<TransitionId> takers = takers_of(graph, net, p);
    if (takers.size() < 2) continue;
    SharedPlaceCount& count = counts[by_place.group_of[p]];
    SharedPlace& place = count.place;
    place.place_group = by_place.group_of[p];
    ++place.instances;
    for (const TransitionId t : takers) place.takers.push_back(by_transition.group_of[t.value]);
    counter.count(takers, count);
  }
  std::vector<SharedPlace> out;
  for (auto& [group, count] : counts) {
    std::sort(count.place.takers.begin(), count.place.takers.end());
    count.place.takers.erase(std::unique(count.place.takers.begin(), count.place.takers.end()),
                             count.place.takers.end());
    for (const auto& [key, pair] : count.pairs) count.place.competing.push_back(pair);
    out.push_back(std::move(count.place));
  }
  return out;
}

}  // namespace pnsim
