// The Markov chain of a net: its reachable markings and the probability of each step between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "simulator/analysis/exact/rational.h"
#include "simulator/analysis/exact/step_distribution.h"
#include "simulator/net/net.h"

namespace pnsim {

// Whether a run ends at a marking. As in the law, the goal is checked before dead.
enum class End : std::uint8_t { kNone, kGoal, kDead };

// One step of positive probability from a marking to another marking or to itself.
struct ChainEdge {
  std::uint32_t target;       // a marking
  std::uint32_t probability;  // position in MarkingGraph::probabilities
};

// Marking 0 is the initial marking. Every marking is reachable from it.
struct MarkingGraph {
  std::vector<End> end;                    // [marking]
  std::vector<std::size_t> edge_start{0};  // of marking m: edges [start[m], start[m + 1])
  std::vector<ChainEdge> edges;            // per marking: by target, one per target; none at an end
  std::vector<Rational> probabilities;     // the distinct values; those of one marking add up to 1

  std::size_t size() const { return end.size(); }
  std::span<const ChainEdge> edges_of(std::uint32_t marking) const {
    return {edges.data() + edge_start[marking], edges.data() + edge_start[marking + 1]};
  }
};

// Limits of the exploration. Beyond any of them explore() throws error 5.
struct ChainLimits {
  std::size_t max_markings = 200'000;
  std::size_t max_sets = kDefaultMaxSets;                // different steps from one marking
  std::size_t max_steps = 5'000'000;                     // different steps from all markings
  std::size_t max_marking_bytes = std::size_t{1} << 30;  // memory for the markings
};

// Explores the markings breadth first. Also throws error 5 when a place would exceed 2^62 tokens.
MarkingGraph explore(const Net& net, const ChainLimits& limits = {});

}  // namespace pnsim
