// The quantities of a chain as exact fractions.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "simulator/analysis/exact/absorption.h"
#include "simulator/analysis/exact/work_budget.h"

namespace pnsim {

// The value of each quantity at the initial marking. Components are solved one after the other: by
// substitution where there are no cycles, by Gaussian elimination inside a component (cubic in its
// size). Returns nothing when `budget` is exhausted.
std::optional<std::vector<Rational>> solve_rational(const MarkingGraph& graph,
                                                    const ChainComponents& components,
                                                    std::span<const Quantity> quantities,
                                                    WorkBudget& budget);

}  // namespace pnsim
