// The quantities of a chain in exact fractions.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "simulator/analysis/exact/absorption.h"
#include "simulator/analysis/exact/work_budget.h"

namespace pnsim {

// The value of each quantity at the initial marking, component by component: plain substitution
// where there are no cycles, Gaussian elimination inside a component (its cost grows with the cube
// of its size). Nothing when `budget` is exhausted.
std::optional<std::vector<Rational>> solve_rational(const MarkingGraph& graph,
                                                    const ChainComponents& components,
                                                    std::span<const Quantity> quantities,
                                                    WorkBudget& budget);

}  // namespace pnsim
