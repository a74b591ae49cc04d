// The quantities of a chain in floating point, with a bound on the error.
#pragma once

#include <span>
#include <vector>

#include "simulator/analysis/exact/absorption.h"

namespace pnsim {

struct DecimalValue {
  double value;        // of the quantity at the initial marking
  double error_bound;  // |value - exact| is at most this
  double residual;     // the largest by which a marking's equation fails, rounding included
};

// For chains too large for fractions: substitution where there are no cycles, elimination and
// iteration inside a component (state_elimination.h). The bound holds however the values were
// found: let r be the residual of a quantity and T the expected number of steps until the chain
// ends or can no longer end. The error e obeys (I - P) e = the residuals, and (I - P) T = 1, so |e|
// <= r T; and T <= T' / (1 - r') with T' the computed T and r' its residual. Error 5 when r' is
// over 0.01: then not even the first digits are known.
std::vector<DecimalValue> solve_decimal(const MarkingGraph& graph,
                                        const ChainComponents& components,
                                        std::span<const Quantity> quantities);

}  // namespace pnsim
