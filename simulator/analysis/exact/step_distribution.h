// The exact distribution over the steps the law can make at a marking (docs/law.md).
#pragma once

#include <cstddef>
#include <vector>

#include "simulator/analysis/exact/rational.h"
#include "simulator/analysis/exact/work_budget.h"
#include "simulator/engine/law.h"

namespace pnsim {

// One way a conflict, or a whole step, can come out.
struct FiredSet {
  Rational probability;
  std::vector<TransitionId> fired;  // in index order
};

inline constexpr std::size_t kDefaultMaxSets = 50'000;

// Every set of candidates that can fire when `conflict` is settled at `marking`, each once, with
// its probability; the probabilities add up to 1. The draws are taken as uniform: the law's word
// scaling is uniform up to |R| / 2^32. Error 5 when more than `max_sets` sets are in play.
std::vector<FiredSet> conflict_distribution(const Net& net, const Conflict& conflict,
                                            const Marking& marking,
                                            std::size_t max_sets = kDefaultMaxSets,
                                            WorkBudget* budget = nullptr);

// Every set of transitions that one step from `marking` can fire: the free transitions and one set
// of each conflict, which are settled independently. Both spend their work from `budget`; when it
// is exhausted they return early, with a part of the sets. `plan` has examined `marking`. One empty
// set where nothing is enabled. Error 5 when there are more than `max_sets`.
std::vector<FiredSet> step_distribution(const Net& net, const StepPlan& plan,
                                        const Marking& marking,
                                        std::size_t max_sets = kDefaultMaxSets,
                                        WorkBudget* budget = nullptr);

}  // namespace pnsim
