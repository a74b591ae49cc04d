// The exact distribution over the steps that the law can make from a marking (docs/law.md).
#pragma once

#include <cstddef>
#include <vector>

#include "simulator/analysis/exact/rational.h"
#include "simulator/analysis/exact/work_budget.h"
#include "simulator/engine/law.h"

namespace pnsim {

// One possible outcome of a conflict or of a whole step.
struct FiredSet {
  Rational probability;
  std::vector<TransitionId> fired;  // in index order
};

inline constexpr std::size_t kDefaultMaxSets = 50'000;

// Every distinct set of candidates that can fire when `conflict` is resolved at `marking`, with its
// probability. The probabilities add up to 1. Draws are treated as uniform; the law's are uniform
// up to |R| / 2^32. Throws error 5 beyond `max_sets` sets.
std::vector<FiredSet> conflict_distribution(const Net& net, const Conflict& conflict,
                                            const Marking& marking,
                                            std::size_t max_sets = kDefaultMaxSets,
                                            WorkBudget* budget = nullptr);

// Every distinct set of transitions that one step from `marking` can fire: the free transitions,
// and one set of each conflict. Conflicts are resolved independently. The work is taken from
// `budget`; when it is exhausted, only a part of the sets is returned. `plan` must already have
// examined `marking`. Returns one empty set when nothing is enabled. Throws error 5 beyond
// `max_sets` sets.
std::vector<FiredSet> step_distribution(const Net& net, const StepPlan& plan,
                                        const Marking& marking,
                                        std::size_t max_sets = kDefaultMaxSets,
                                        WorkBudget* budget = nullptr);

}  // namespace pnsim
