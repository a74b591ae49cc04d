// The Markov chain of a net: its reachable markings and the probability of each step between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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
  std::size_t max_sets = kDefaultMaxSets;                // different steps of one marking
  std::size_t max_steps = 5'000'000;                     // different steps of all markings together
  std::size_t max_marking_bytes = std::size_t{1} << 30;  // kept markings
  // Work for all markings together, in about nanoseconds (work_budget.h): a minute or two.
  std::uint64_t max_work = 60'000'000'000;
  // Called after each explored marking with the number of known markings, for a progress bar.
  std::function<void(std::size_t done, std::size_t known)> tell{};
};

// Explores the markings breadth first. Also throws error 5 when a place would exceed 2^62 tokens.
MarkingGraph explore(const Net& net, const ChainLimits& limits = {});

}  // namespace pnsim
