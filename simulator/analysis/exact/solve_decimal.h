// The quantities of a chain in floating point, with a bound on the error.
#pragma once

#include <span>
#include <vector>

#include "simulator/analysis/exact/absorption.h"
#include "simulator/analysis/exact/iterative.h"

namespace pnsim {

struct DecimalValue {
  double value;        // of the quantity at the initial marking
  double error_bound;  // |value - exact| is at most this
  double residual;     // the largest residual of a marking's equation, rounding included
};

// Solves chains that are too large for fractions: by substitution where there are no cycles, by
// elimination and iteration inside a component (state_elimination.h). The error bound holds for any
// method, also when `work` ends the iteration early. Let r be the residual of a quantity and T the
// expected number of steps until the chain ends or can no longer end. The error e satisfies (I - P)
// e = the residuals, and (I - P) T = 1, so |e| <= r T. With T' the computed T and r' its residual,
// T <= T' / (1 - r'). Throws error 5 when r' exceeds 0.01, because then not even the first digits
// are certain.
std::vector<DecimalValue> solve_decimal(const MarkingGraph& graph,
                                        const ChainComponents& components,
                                        std::span<const Quantity> quantities,
                                        DecimalWork work = {});

}  // namespace pnsim
