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

// Whether a run ends at a marking, in the order of the law: goal first, then dead.
enum class End : std::uint8_t { kNone, kGoal, kDead };

// One step of positive probability from a marking to another, or to itself.
struct ChainEdge {
  std::uint32_t target;       // a marking
  std::uint32_t probability;  // position in MarkingGraph::probabilities
};

// Marking 0 is the initial one; every marking can be reached from it.
struct MarkingGraph {
  std::vector<End> end;                    // [marking]
  std::vector<std::size_t> edge_start{0};  // of marking m: edges [start[m], start[m + 1])
  std::vector<ChainEdge> edges;         // of one marking: by target, one a target; none at an end
  std::vector<Rational> probabilities;  // the distinct ones; those of a marking add up to 1

  std::size_t size() const { return end.size(); }
  std::span<const ChainEdge> edges_of(std::uint32_t marking) const {
    return {edges.data() + edge_start[marking], edges.data() + edge_start[marking + 1]};
  }
};

// What exploring may cost. Beyond any of these: error 5.
struct ChainLimits {
  std::size_t max_markings = 200'000;
  std::size_t max_sets = kDefaultMaxSets;                // different steps of one marking
  std::size_t max_steps = 5'000'000;                     // different steps of all markings together
  std::size_t max_marking_bytes = std::size_t{1} << 30;  // kept markings
  // Of all markings together, in about nanoseconds (work_budget.h): a minute or two.
  std::uint64_t max_work = 60'000'000'000;
  // Called for each marking that is done, and how many are known: for a progress.
  std::function<void(std::size_t done, std::size_t known)> tell{};
};

// Markings in breadth-first order. Error 5 also where a place would hold more than 2^62 tokens.
MarkingGraph explore(const Net& net, const ChainLimits& limits = {});

}  // namespace pnsim
