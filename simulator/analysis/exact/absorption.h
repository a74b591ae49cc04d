// The quantities that are computed for a chain of markings, and the order of solving its equations.
//
// A quantity x(m) of a marking m (the expected steps, or the probability of ending at the goal or
// dead) satisfies
//     x(m) = value_at(end)                                      where the chain ends,
//     x(m) = 0                                                  where no end can be reached,
//     x(m) = per_step + sum over the edges of m: probability * x(target)   elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "simulator/analysis/exact/marking_graph.h"

namespace pnsim {

struct Quantity {
  int per_step;  // 0 or 1
  int at_goal;   // 0 or 1
  int at_dead;   // 0 or 1

  bool operator==(const Quantity&) const = default;
  int value_at(End end) const {
    return end == End::kGoal ? at_goal : end == End::kDead ? at_dead : 0;
  }
};

inline constexpr Quantity kSteps{1, 0, 0};
inline constexpr Quantity kEndsAtGoal{0, 1, 0};
inline constexpr Quantity kEndsDead{0, 0, 1};

// The strongly connected components of the chain. Every edge leads to a component with the same or
// a lower number, so each component depends only on itself and on components solved before it.
class ChainComponents {
 public:
  explicit ChainComponents(const MarkingGraph& graph);

  std::size_t count() const { return start_.size() - 1; }
  std::uint32_t of(std::uint32_t marking) const { return of_[marking]; }
  std::span<const std::uint32_t> markings(std::uint32_t component) const {  // ascending
    return {markings_.data() + start_[component], markings_.data() + start_[component + 1]};
  }

  // Whether an end can be reached from this component. If not, the chain runs forever.
  bool can_end(std::uint32_t component) const { return can_end_[component] != 0; }
  bool all_can_end() const;

  // The number of markings in the largest component.
  std::size_t largest() const;

 private:
  std::vector<std::uint32_t> of_;        // [marking]
  std::vector<std::uint32_t> markings_;  // component by component
  std::vector<std::uint32_t> start_;     // of component c: markings_[start[c], start[c + 1])
  std::vector<char> can_end_;            // [component]
};

}  // namespace pnsim
